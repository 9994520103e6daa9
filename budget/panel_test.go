package budget

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// scripted is a meter that says what the test wants.
type scripted struct {
	name     string
	readings []Reading
	err      error
	reads    int
}

func (m *scripted) Name() string { return m.name }
func (m *scripted) Read(buf []Reading) ([]Reading, error) {
	m.reads++
	return append(buf, m.readings...), m.err
}

func local(usage, budget int64) []Reading {
	return []Reading{MakeReading(DeviceLocal, usage, budget, "test", "")}
}

func TestPanelAddsOurOwnBytesBetweenQueries(t *testing.T) {
	m := &scripted{name: "m", readings: local(100*MiB, GiB)}
	p := NewPanel()
	p.Attach(m, time.Second)
	usage := func(at time.Duration) int64 { return p.Read(at, nil)[0].Usage }
	if got := usage(0); got != 100*MiB {
		t.Fatal(got)
	}
	p.Add(DeviceLocal, 50*MiB)
	p.Add(HostRAM, 70*MiB)
	if got := usage(900 * time.Millisecond); got != 150*MiB || m.reads != 1 {
		t.Errorf("%d after %d reads", got, m.reads)
	}
	if r := p.Read(0, nil)[0]; r.Headroom != r.Budget-r.Usage {
		t.Errorf("headroom %d does not follow", r.Headroom)
	}
	p.Add(DeviceLocal, -200*MiB)
	if got := usage(950 * time.Millisecond); got != 0 {
		t.Errorf("usage below zero: %d", got)
	}
	m.readings = local(120*MiB, GiB)
	if got := usage(time.Second); got != 120*MiB || m.reads != 2 {
		t.Errorf("%d after %d reads", got, m.reads)
	}
	// Much of our own: it looks again before the interval is over.
	p.Add(DeviceLocal, 200*MiB)
	if usage(1001 * time.Millisecond); m.reads != 3 {
		t.Errorf("%d reads", m.reads)
	}
}

func TestPanelDropsAFailingMeterOnceAndTriesAgain(t *testing.T) {
	good := &scripted{name: "good", readings: local(1, 2)}
	bad := &scripted{name: "bad", readings: local(1, GiB)}
	p := NewPanel()
	var told []MeterEvent
	p.OnMeter = func(e MeterEvent) { told = append(told, e) }
	p.Attach(good, 0)
	p.Attach(bad, 0)
	if n := len(p.Read(0, nil)); n != 2 {
		t.Fatal(n)
	}
	bad.err = errors.New("driver is gone")
	for i := range strikes - 1 {
		if n := len(p.Read(time.Duration(i+1)*time.Second, nil)); n != 2 {
			t.Errorf("one hiccup takes the meter away: %d readings", n)
		}
	}
	for i := range 10 {
		if n := len(p.Read(10*time.Second+time.Duration(i)*time.Millisecond, nil)); n != 1 {
			t.Errorf("%d readings of a meter that fails", n)
		}
	}
	if len(told) != 1 || !told[0].Dropped || told[0].Meter != "bad" || !strings.Contains(told[0].String(), "driver is gone") {
		t.Errorf("told %v", told)
	}
	before := bad.reads
	p.Read(11*time.Second, nil)
	if bad.reads != before {
		t.Error("asked again at once")
	}
	bad.err = nil
	if n := len(p.Read(13*time.Second, nil)); n != 2 {
		t.Errorf("a meter that works again is not used: %d", n)
	}
	if len(told) != 2 || told[1].Dropped || len(p.Events()) != 2 {
		t.Errorf("told %v", told)
	}
	if s := p.Status(); !s[1].Working || s[1].Fails == 0 || s[0].Fails != 0 {
		t.Errorf("status %+v", s)
	}
}

func TestPanelDistrustsAbsurdValues(t *testing.T) {
	for _, r := range []Reading{
		MakeReading(DeviceLocal, 0, 0, "zero budget", ""),
		MakeReading(DeviceLocal, 0, -1, "negative budget", ""),
		MakeReading(DeviceLocal, 0, 1<<63-1, "all ones", ""),
		MakeReading(DeviceLocal, -5, GiB, "negative usage", ""),
		MakeReading(DeviceLocal, 1<<55, GiB, "endless usage", ""),
		MakeReading(NumDomains, 0, GiB, "no such domain", ""),
		{Domain: DeviceLocal, Usage: 1, Budget: 2, Headroom: 7, Source: "does not add up"},
		{Domain: DeviceLocal, Usage: 1, Budget: 2, Headroom: 1, Pending: 3, Source: "pending beyond usage"},
	} {
		m := &scripted{name: "m", readings: local(1, GiB)}
		p := NewPanel()
		p.Attach(m, 0)
		p.Read(0, nil)
		m.readings = []Reading{r}
		if got := p.Read(time.Second, nil); len(got) != 1 || got[0].Budget != GiB {
			t.Errorf("%s: %v is believed", r.Source, got)
		}
		for i := range 3 {
			p.Read(time.Duration(i+2)*time.Second, nil)
		}
		if s := p.Status()[0]; s.Working || !strings.Contains(s.Reason, r.Source) {
			t.Errorf("%s: %+v", r.Source, s)
		}
	}
	over := MakeReading(DeviceLocal, 3*GiB, 2*GiB, "over budget", "")
	if err := over.Check(); err != nil {
		t.Errorf("being over budget is possible: %v", err)
	}
}

// announced is a meter that the system tells of changes.
type announced struct {
	scripted
	changed bool
	asked   int
}

func (m *announced) Changed() bool {
	m.asked++
	was := m.changed
	m.changed = false
	return was
}

func TestPanelAsksAgainWhenAChangeIsAnnounced(t *testing.T) {
	m := &announced{scripted: scripted{name: "m", readings: local(100*MiB, GiB)}}
	p := NewPanel()
	p.Attach(m, time.Second)
	p.Read(0, nil)
	m.readings = local(100*MiB, 512*MiB)
	if r := p.Read(100*time.Millisecond, nil)[0]; r.Budget != GiB || m.reads != 1 {
		t.Errorf("asked without cause: %+v after %d reads", r, m.reads)
	}
	m.changed = true
	if r := p.Read(200*time.Millisecond, nil)[0]; r.Budget != 512*MiB || m.reads != 2 {
		t.Errorf("the change was not looked at: %+v after %d reads", r, m.reads)
	}
	// The interval begins anew, and one announcement is one question.
	if p.Read(1100*time.Millisecond, nil); m.reads != 2 || m.asked != 3 {
		t.Errorf("%d reads, %d times asked for changes", m.reads, m.asked)
	}
	// A meter that was dropped waits for its retry.
	m.err = errors.New("gone")
	for i := range strikes {
		p.Read(2*time.Second+time.Duration(i)*2*time.Second, nil)
	}
	reads := m.reads
	m.changed = true
	if got := p.Read(6100*time.Millisecond, nil); len(got) != 0 || m.reads != reads {
		t.Errorf("a dropped meter was asked: %v after %d reads", got, m.reads-reads)
	}
}
