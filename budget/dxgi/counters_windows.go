//go:build amd64 || arm64

package dxgi

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"github.com/pinring/pinring/budget"
)

// Counters reads how much of one adapter's memory all processes together have in use, from the
// performance counters of "GPU Adapter Memory". Adapters that are linked behind one LUID are added
// up, so the total must be that of all. Safe for concurrent use. To be closed.
type Counters struct {
	luid LUID

	mu       sync.Mutex
	query    uintptr // PDH_HQUERY; 0 once closed
	counters []counter
	array    array
}

// counter is one that was added to the query.
type counter struct {
	handle       uintptr // PDH_HCOUNTER
	domain       budget.Domain
	total        int64
	source, twin string
}

var _ budget.Meter = (*Counters)(nil)

// OpenCounters opens the counters of the adapter o.LUID, for those domains whose total is known.
func OpenCounters(o Options) (*Counters, error) {
	l, err := ParseLUID(o.LUID)
	if err != nil {
		return nil, err
	}
	if o.DedicatedTotal <= 0 && o.SharedTotal <= 0 {
		return nil, errors.New("dxgi: performance counters know no budget; give DedicatedTotal or SharedTotal")
	}
	if err := findPDH(); err != nil {
		return nil, fmt.Errorf("dxgi: %w", err)
	}
	c := &Counters{luid: l}
	if c.query, err = openQuery(); err != nil {
		return nil, fmt.Errorf("dxgi: %w", err)
	}
	if err := c.addAll(o); err != nil {
		c.Close()
		return nil, fmt.Errorf("dxgi: %w", err)
	}
	return c, nil
}

func (c *Counters) addAll(o Options) error {
	all := []counter{
		{domain: budget.DeviceLocal, total: o.DedicatedTotal, source: "PDH Dedicated Usage",
			twin: "Task Manager Performance, Dedicated GPU memory"},
		{domain: budget.DeviceShared, total: o.SharedTotal, source: "PDH Shared Usage",
			twin: "Task Manager Performance, Shared GPU memory"},
	}
	paths := []string{`\GPU Adapter Memory(*)\Dedicated Usage`, `\GPU Adapter Memory(*)\Shared Usage`}
	for i, one := range all {
		if one.total <= 0 {
			continue
		}
		var err error
		if one.handle, err = addCounter(c.query, paths[i]); err != nil {
			return err
		}
		c.counters = append(c.counters, one)
	}
	return nil
}

// Name is "PDH".
func (c *Counters) Name() string { return "PDH" }

// Read appends one reading for each domain whose total is known.
func (c *Counters) Read(buf []budget.Reading) ([]budget.Reading, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.query == 0 {
		return buf, fmt.Errorf("dxgi: %w", ErrClosed)
	}
	if err := collect(c.query); err != nil {
		return buf, err
	}
	for i := range c.counters {
		one := &c.counters[i]
		usage, err := c.usage(one)
		if err != nil {
			return buf, fmt.Errorf("%s: %w", one.source, err)
		}
		buf = append(buf, budget.MakeReading(one.domain, usage, one.total, one.source, one.twin))
	}
	return buf, nil
}

func (c *Counters) usage(one *counter) (int64, error) {
	if err := c.array.fill(one.handle); err != nil {
		return 0, err
	}
	base := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(c.array.words))))
	return sumItems(c.array.words, base, c.array.count, c.luid)
}

// Close gives the query and its counters back. Closing again does nothing.
func (c *Counters) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.query != 0 {
		closeQuery(c.query)
		c.query, c.counters = 0, nil
	}
}
