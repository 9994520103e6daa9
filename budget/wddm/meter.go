package wddm

import "github.com/pinring/pinring/budget"

// What a reading is called, and where its twin would be on a real machine.
var (
	sources = [budget.NumDomains]string{"emulated card: LOCAL", "emulated card: NON_LOCAL", "emulated host RAM"}
	twins   = [budget.NumDomains]string{
		"nvidia-smi Memory-Usage, Task Manager Dedicated GPU memory",
		"Task Manager Shared GPU memory",
		"Task Manager Memory in use",
	}
)

// Name is "emulated card".
func (c *Card) Name() string { return "emulated card" }

// Read appends the readings of the card's domains that limit. Usage is all that is in use, by
// everybody; Budget is the usage at which this process's requests are refused.
func (c *Card) Read(buf []budget.Reading) ([]budget.Reading, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shared == nil {
		c.tick()
		return c.report(buf), c.follow()
	}
	err := c.withPeers(func() error { buf = c.report(buf); return nil })
	return buf, err
}

func (c *Card) report(buf []budget.Reading) []budget.Reading {
	l := c.books
	for d := range budget.Domain(budget.NumDomains) {
		if l.level[d] == 0 {
			continue
		}
		r := budget.MakeReading(d, l.usage(d), l.level[d], sources[d], twins[d])
		r.Pending, r.Emulated = l.pending[d], true
		buf = append(buf, r)
	}
	return buf
}
