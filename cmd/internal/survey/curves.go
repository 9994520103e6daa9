package survey

import (
	"errors"
	"os/exec"
	"time"

	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/probe"
	"github.com/pinring/pinring/report"
)

// curves are the numbers that watch follows.
type curves struct {
	meters  []*patient
	began   time.Time
	every   time.Duration
	program string
	pid     int // 0: no process yet, or no longer
	code    *int
	signal  *string // that ended it
	gone    bool    // it has ended
	lines   []report.WatchLine
	step    int // of the readings one is kept: memory of an unknown length of life is bounded
	reads   int
}

func newCurves(b *bench, every time.Duration) *curves {
	return &curves{meters: patients(b.meters), began: time.Now(), every: every, step: 1}
}

// read takes one reading of all; false says that the process has ended.
func (w *curves) read() (alive bool) {
	t := time.Since(w.began).Seconds()
	keep := w.reads%w.step == 0
	w.reads++
	for _, m := range w.meters {
		for _, x := range m.read() {
			l := w.line(x.Source, x.Domain.String(), x.Twin)
			l.Total = ptr(x.Budget)
			l.note(t, x.Usage, keep)
		}
	}
	alive = w.process(t, keep)
	w.thin()
	return alive
}

// process adds what the process itself has.
func (w *curves) process(t float64, keep bool) bool {
	if w.pid == 0 {
		return false
	}
	u, err := probe.ReadProcess(w.pid)
	if err != nil {
		w.gone = w.gone || errors.Is(err, probe.ErrNoProcess)
		return false
	}
	for _, x := range []struct {
		name, twin string
		bytes      int64
	}{
		{"resident", "ps RSS, Task Manager Memory", u.Resident},
		{"locked", "VmLck in /proc/PID/status", u.Locked},
		{"pinned by drivers", "VmPin in /proc/PID/status", u.Pinned},
	} {
		if x.bytes >= 0 {
			w.line(x.name, "process", x.twin).note(t, x.bytes, keep)
		}
	}
	return true
}

// curve is a line under way.
type curve struct{ *report.WatchLine }

func (w *curves) line(name, domain, twin string) curve {
	for i := range w.lines {
		if l := &w.lines[i]; l.Name == name && l.Domain == domain {
			return curve{l}
		}
	}
	w.lines = append(w.lines, report.WatchLine{Name: name, Domain: domain, Twin: twin, First: -1})
	return curve{&w.lines[len(w.lines)-1]}
}

func (l curve) note(t float64, bytes int64, keep bool) {
	if l.First < 0 {
		l.First = bytes
	}
	l.Peak, l.Last = max(l.Peak, bytes), bytes
	if keep {
		l.Points = append(l.Points, report.WatchPoint{T: t, Bytes: bytes})
	}
}

// thin halves the curves when they are full; from then on fewer readings are kept.
func (w *curves) thin() {
	for i := range w.lines {
		if len(w.lines[i].Points) < report.MostSamples {
			continue
		}
		w.step *= 2
		for j := range w.lines {
			l := &w.lines[j]
			kept := l.Points[:0]
			for k, p := range l.Points {
				if k%2 == 0 {
					kept = append(kept, p)
				}
			}
			l.Points = kept
		}
		return
	}
}

// ended notes how the command ended; its exit code is passed on.
func (w *curves) ended(child *exec.Cmd, err error) error {
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	code := child.ProcessState.ExitCode()
	if n, name, ok := signalled(child.ProcessState); ok {
		code, w.signal = n, &name
	}
	w.code, w.gone = &code, true
	if code == 0 {
		return nil
	}
	return &cli.ExitError{Code: code}
}

// silent are the meters that stopped to answer, one line each.
func (w *curves) silent() (out []string) {
	for _, m := range w.meters {
		if m.silent {
			out = append(out, m.Name()+": "+errSilent.Error()+"; its line ends there")
		}
	}
	return out
}

func (w *curves) result() *report.Watch {
	return &report.Watch{Program: w.program, PID: w.pid, ExitCode: w.code, Signal: w.signal, Ended: w.gone, Seconds: time.Since(w.began).Seconds(),
		Interval: w.every.Seconds(), Lines: w.lines}
}
