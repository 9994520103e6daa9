package report

import "fmt"

// Check refuses a result that no probe has written: the file that it was read from may be anything, and what
// is compared with it ends up in sentences.
func (p *Probe) Check() error {
	for i := range p.Rows {
		if err := p.Rows[i].check(); err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	if c := p.Churn; c != nil && (c.Bytes < 1 || c.Rate <= 0 || c.FailedAt != nil && (*c.FailedAt < 0 || *c.FailedAt > c.Frames)) {
		return fmt.Errorf("churn: %d bytes, %v frames a second, failed at %d of %d frames", c.Bytes, c.Rate, orZero(c.FailedAt), c.Frames)
	}
	return nil
}

func (r *ProbeRow) check() error {
	const most = 1 << 50 // bytes of memory, and far more than there are
	if r.Bytes < 1 || r.Bytes > most {
		return fmt.Errorf("%d bytes of memory", r.Bytes)
	}
	for _, delta := range []*int64{r.DeviceDeltaBytes, r.SharedDeltaBytes, r.HostDeltaBytes} {
		if n := orZero(delta); n < -most || n > most {
			return fmt.Errorf("a change by %d bytes", n)
		}
	}
	if ms := r.ReturnedAfter; ms != nil && (*ms < 0 || *ms > 1e9) {
		return fmt.Errorf("memory that returned after %g ms", *ms)
	}
	return nil
}

func orZero(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}
