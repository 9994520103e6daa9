package survey

import (
	"context"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/probe"
	"github.com/pinring/pinring/report"
)

// measure makes the experiments, the gentlest first: one that is refused may spoil those that follow.
func (c *probing) measure(ctx context.Context, b *bench, r *report.Probe) error {
	rig := b.rig()
	if b.card != nil {
		b.card.Start(c.plan.churn.Rate, 1)
	}
	if b.card == nil || !b.card.Virtual() { // else all is over before it can be read
		rig.Progress = func(s string) { c.Say("%s", s) }
	}
	for _, x := range rig.Read() {
		r.Sources = append(r.Sources, source(x))
	}
	rows, err := rig.Sizes(ctx, c.plan.sizes, c.plan.kinds)
	for i := range rows {
		r.Rows = append(r.Rows, row(&rows[i]))
	}
	if err != nil {
		return err
	}
	if held := heldSize(rows); held > 0 {
		m, err := rig.Room(ctx, held)
		if err != nil {
			return err
		}
		r.Room = room(m)
	}
	if c.plan.churn.Frames == 0 {
		return nil
	}
	reuse := c.plan.churn
	reuse.Reuse, reuse.Frames = true, max(reuse.Frames/3, 1)
	if r.Reuse, err = churned(rig.Churn(ctx, reuse)); err != nil {
		return err
	}
	r.Churn, err = churned(rig.Churn(ctx, c.plan.churn))
	return err
}

// heldSize is the largest pinned memory up to 1 GiB that could be had, 0 when none could.
func heldSize(rows []probe.Row) (held int64) {
	for i := range rows {
		if r := &rows[i]; r.Kind == gpu.Pinned && r.Skipped == "" && r.Err == nil && r.Bytes <= budget.GiB {
			held = max(held, r.Bytes)
		}
	}
	return held
}

func source(r budget.Reading) report.Source {
	return report.Source{Source: r.Source, Domain: r.Domain.String(), Twin: r.Twin, Emulated: r.Emulated, Used: r.Usage, Free: r.Headroom, Total: r.Budget}
}

func row(x *probe.Row) report.ProbeRow {
	r := report.ProbeRow{Kind: x.Kind.String(), Bytes: x.Bytes, AllocMillis: millis(x.Alloc), FreeMillis: millis(x.Free),
		WatchedForSeconds: probe.DefaultWatch.Seconds(), Traces: []report.Trace{}}
	if x.Skipped != "" {
		r.Skipped = &x.Skipped
	}
	if x.Err != nil {
		r.Error = ptr(x.Err.Error())
	}
	for i := range x.Traces {
		t := &x.Traces[i]
		r.Traces = append(r.Traces, trace(t))
		if t.Returned && (r.ReturnedWithin == nil || *r.ReturnedWithin < float64(t.Resolution)/1e6) {
			r.ReturnedWithin = ptr(float64(t.Resolution) / 1e6)
		}
	}
	return r
}

func trace(t *probe.Trace) report.Trace {
	out := report.Trace{Source: t.Source, Domain: t.Domain.String(), BeforeBytes: t.Before, HeldBytes: t.Held, FreedBytes: t.Freed, Watched: t.Watched}
	if t.Returned {
		out.ReturnedAfter = ptr(float64(t.After) / 1e6)
	}
	return out
}

func room(m *probe.Room) *report.ProbeRoom {
	r := &report.ProbeRoom{HeldBytes: m.Held, NothingBytes: m.Nothing, PageableBytes: m.Pageable}
	if m.Err != nil {
		r.Error = ptr(m.Err.Error())
	} else {
		r.PinnedBytes = &m.Pinned
	}
	return r
}

// churned copies what became of frames; what there is of it comes with an error, too.
func churned(x *probe.Churn, err error) (*report.ProbeFrames, error) {
	if x == nil {
		return nil, err
	}
	f := &report.ProbeFrames{Bytes: int64(x.Bytes), Frames: x.Frames, Rate: float64(x.Rate), Done: x.Done,
		AllocMicros: times(x.Allocs), FreeMicros: times(x.Frees), Lines: []report.ProbeLine{}}
	if x.FailedAt >= 0 {
		f.FailedAt, f.Error = &x.FailedAt, ptr(x.Err.Error())
	}
	for i := range x.Traces {
		switch t := &x.Traces[i]; {
		case !t.Watched:
		case !t.Returned:
			f.ReturnedNot = true
		case f.ReturnedAfter == nil || *f.ReturnedAfter < float64(t.After)/1e6:
			f.ReturnedAfter = ptr(float64(t.After) / 1e6)
		}
	}
	for i := range x.Lines {
		f.Lines = append(f.Lines, line(&x.Lines[i]))
	}
	return f, err
}

func line(x *probe.Line) report.ProbeLine {
	l := report.ProbeLine{Source: x.Source, Domain: x.Domain.String(), Twin: x.Twin, PerFrame: probe.Slope(x.Points), Points: make([]report.Sample, len(x.Points))}
	for i, p := range x.Points {
		l.Points[i] = report.Sample{Frame: p.Frame, T: p.At.Seconds(), Usage: p.Usage, Budget: p.Budget}
	}
	return l
}

// times summarises sorted durations, nil for none.
func times(sorted []time.Duration) *report.Times {
	if len(sorted) == 0 {
		return nil
	}
	at := func(q float64) float64 { return float64(sorted[int(q*float64(len(sorted)-1))]) / 1e3 }
	return &report.Times{P50: at(0.5), P99: at(0.99), Max: at(1)}
}
