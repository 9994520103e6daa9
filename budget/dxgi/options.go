package dxgi

import "fmt"

// Options choose the adapter. The zero value takes the first hardware adapter.
type Options struct {
	// LUID is the adapter's identity as cuDeviceGetLuid gives it, 8 bytes; nil when unknown.
	LUID []byte
	// Index counts hardware adapters in DXGI's order, from 0, where LUID is nil. It is not CUDA's
	// number of the device.
	Index int
	// DedicatedTotal and SharedTotal are the bytes that the adapter has, the budgets of [Counters];
	// 0 where unknown, which leaves out that reading. [Meter] does not use them.
	DedicatedTotal int64
	SharedTotal    int64
}

// Adapter describes the adapter that was opened.
type Adapter struct {
	Name string
	LUID LUID
	// DedicatedBytes and SharedBytes are DedicatedVideoMemory and SharedSystemMemory of
	// DXGI_ADAPTER_DESC1, fit for Options.DedicatedTotal and SharedTotal.
	DedicatedBytes int64
	SharedBytes    int64
	// Chosen says by what it was chosen, for people.
	Chosen string
}

// wanted is Options made ready for comparing.
type wanted struct {
	luid   LUID
	byLUID bool
	index  int
}

func (o Options) wanted() (wanted, error) {
	if o.LUID == nil {
		if o.Index < 0 {
			return wanted{}, fmt.Errorf("dxgi: adapter number %d is negative", o.Index)
		}
		return wanted{index: o.Index}, nil
	}
	l, err := ParseLUID(o.LUID)
	return wanted{luid: l, byLUID: true}, err
}

// matches is asked for each adapter in DXGI's order.
func (w *wanted) matches(l LUID, software bool) bool {
	switch {
	case w.byLUID:
		return l == w.luid
	case software:
		return false
	}
	w.index--
	return w.index < 0
}

// String says for people what is looked for.
func (w wanted) String() string {
	switch {
	case w.byLUID:
		return "by " + w.luid.String()
	case w.index == 0:
		return "first hardware adapter, as no LUID was given"
	}
	return fmt.Sprintf("hardware adapter %d, as no LUID was given", w.index)
}
