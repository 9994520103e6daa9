package gpu

import (
	"fmt"
	"sync"
)

var _ Device = (*Limit)(nil)

// Caps are numbers of bytes that may be allocated at one time; 0 means no cap.
type Caps struct {
	Locked int64 // page-locked host memory (HostKind.Locked)
	Host   int64 // host memory of all kinds
	Device int64 // device memory
}

// Limit wraps a device and refuses allocations beyond its caps, with an *OutOfMemoryError. It
// counts bytes as they were asked for. Safe for concurrent use.
type Limit struct {
	inner Device
	caps  Caps

	mu  sync.Mutex
	use Caps // bytes in use
}

// NewLimit wraps d, which Limit's Close closes.
func NewLimit(d Device, caps Caps) *Limit { return &Limit{inner: d, caps: caps} }

// InUse is what counts against the caps now.
func (l *Limit) InUse() Caps {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.use
}

// reserve books bytes, or says which cap they would break.
func (l *Limit) reserve(want Caps, bytes int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range []struct {
		what           string
		cap, use, want int64
	}{
		{"page-locked host memory", l.caps.Locked, l.use.Locked, want.Locked},
		{"host memory", l.caps.Host, l.use.Host, want.Host},
		{"device memory", l.caps.Device, l.use.Device, want.Device},
	} {
		if c.cap > 0 && c.want > 0 && c.want > c.cap-c.use {
			return &OutOfMemoryError{Call: "limit", Requested: bytes,
				Reason: fmt.Sprintf("%d bytes of %s are in use and the limit is %d", c.use, c.what, c.cap)}
		}
	}
	l.use = l.use.plus(want, 1)
	return nil
}

func (l *Limit) giveBack(c Caps) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.use = l.use.plus(c, -1)
}

func (c Caps) plus(o Caps, sign int64) Caps {
	return Caps{c.Locked + sign*o.Locked, c.Host + sign*o.Host, c.Device + sign*o.Device}
}

// AllocHost allocates within the caps.
func (l *Limit) AllocHost(bytes int, kind HostKind) (HostBuffer, error) {
	want := Caps{Host: int64(bytes)}
	if kind.Locked() {
		want.Locked = int64(bytes)
	}
	if err := l.reserve(want, int64(bytes)); err != nil {
		return nil, err
	}
	b, err := l.inner.AllocHost(bytes, kind)
	if err != nil {
		l.giveBack(want)
		return nil, err
	}
	return &freedHostBuffer{inner: b, once: once{f: func() { l.giveBack(want) }}}, nil
}

// Alloc allocates within the cap.
func (l *Limit) Alloc(bytes int) (Buffer, error) {
	want := Caps{Device: int64(bytes)}
	if err := l.reserve(want, int64(bytes)); err != nil {
		return nil, err
	}
	b, err := l.inner.Alloc(bytes)
	if err != nil {
		l.giveBack(want)
		return nil, err
	}
	return &freedBuffer{inner: b, once: once{f: func() { l.giveBack(want) }}}, nil
}

// MemInfo shows the card as large as the cap on device memory makes it.
func (l *Limit) MemInfo() (MemInfo, error) {
	m, err := l.inner.MemInfo()
	if err != nil || l.caps.Device == 0 {
		return m, err
	}
	m.Total = min(m.Total, l.caps.Device)
	m.Free = min(m.Free, max(0, l.caps.Device-l.InUse().Device))
	return m, nil
}

// Info, NewStream, NewEvent, Load and Close are the wrapped device's.

func (l *Limit) Info() Info                          { return l.inner.Info() }
func (l *Limit) NewStream() (Stream, error)          { return l.inner.NewStream() }
func (l *Limit) NewEvent(timing bool) (Event, error) { return l.inner.NewEvent(timing) }
func (l *Limit) Load(m Module) (Program, error)      { return l.inner.Load(m) }
func (l *Limit) Close() error                        { return l.inner.Close() }
