package report

import (
	"cmp"
	"slices"
)

// evidence is what a probe shows, sorted for those who conclude from it.
type evidence struct {
	*Probe
	pinned   []charge // rows of pinned memory that was had, by size
	pageable []charge
	segment  string // that pinned memory is charged to: local, shared, both; none; "" when not known
}

// charge is a row with what it was charged.
type charge struct {
	*ProbeRow
	local, shared float64 // for a byte
}

// A charge is no noise from a twentieth of the bytes on; what is charged may be more or less than
// its size.
const leastCharge = 0.05

func (p *Probe) evidence() *evidence {
	e := &evidence{Probe: p, pinned: p.charges("pinned"), pageable: p.charges("pageable")}
	local, shared, known := 0, 0, 0
	for _, c := range e.pinned {
		if c.DeviceDeltaBytes != nil || c.SharedDeltaBytes != nil {
			known++
		}
		if c.local >= leastCharge {
			local++
		}
		if c.shared >= leastCharge {
			shared++
		}
	}
	switch most := func(n int) bool { return 2*n > known }; {
	case known == 0:
	case most(local) && most(shared):
		e.segment = "both"
	case most(local):
		e.segment = "local"
	case most(shared):
		e.segment = "shared"
	default:
		e.segment = "none"
	}
	return e
}

// charges are the rows of a kind that was had, smaller ones first.
func (p *Probe) charges(kind string) (out []charge) {
	for i := range p.Rows {
		r := &p.Rows[i]
		if r.Kind == kind && r.Skipped == nil && r.Error == nil && r.Bytes > 0 {
			out = append(out, charge{r, ratioOf(r.DeviceDeltaBytes, r.Bytes), ratioOf(r.SharedDeltaBytes, r.Bytes)})
		}
	}
	slices.SortStableFunc(out, func(a, b charge) int { return cmp.Compare(a.Bytes, b.Bytes) })
	return out
}

func ratioOf(delta *int64, bytes int64) float64 {
	if delta == nil || *delta <= 0 || bytes <= 0 {
		return 0
	}
	return float64(*delta) / float64(bytes)
}

// charged reports whether pinned memory is charged to the device at all.
func (e *evidence) charged() bool {
	return e.segment == "local" || e.segment == "shared" || e.segment == "both"
}

// of is a charge's ratio in a domain.
func (c charge) of(domain string) float64 {
	if domain == "shared" {
		return c.shared
	}
	return c.local
}

// domain is where a charge matters most: video memory where it is charged.
func (e *evidence) domain() string {
	if e.segment == "shared" {
		return "shared"
	}
	return "local"
}

// ratioFor is the charge for a byte of a block of that size: the one of the nearest size that was
// measured.
func (e *evidence) ratioFor(bytes int64) float64 {
	best, dist := 0.0, int64(-1)
	for _, c := range e.pinned {
		if d := max(c.Bytes-bytes, bytes-c.Bytes); dist < 0 || d < dist {
			best, dist = c.of(e.domain()), d
		}
	}
	return best
}

// source is the state of a domain before the experiments: the source with the least left.
func (e *evidence) source(domain string) *Source {
	var least *Source
	for i := range e.Sources {
		if s := &e.Sources[i]; s.Domain == domain && (least == nil || s.Free < least.Free) {
			least = s
		}
	}
	return least
}

// rings says what rings of some sizes take and leave.
func (e *evidence) rings() []ProbeRing {
	rings := []ProbeRing{}
	s := e.source(e.domain())
	if s == nil || e.segment == "" {
		return rings
	}
	for _, bytes := range []int64{64 << 20, 256 << 20, 512 << 20, 1 << 30} {
		cost := int64(0)
		if e.charged() {
			cost = int64(float64(bytes) * e.ratioFor(bytes))
		}
		rings = append(rings, ProbeRing{Bytes: bytes, CostBytes: cost, LeftBytes: s.Free - cost, Domain: s.Domain})
	}
	return rings
}

// ratios are the least and the greatest charge for a byte in a domain.
func (e *evidence) ratios(domain string) (low, high float64) {
	for i, c := range e.pinned {
		r := c.of(domain)
		if i == 0 {
			low, high = r, r
		}
		low, high = min(low, r), max(high, r)
	}
	return low, high
}

// slowest is the longest return of pinned memory, nil when none was seen; not says that some was not
// seen to come back.
func (e *evidence) slowest() (after *float64, not bool) {
	for _, c := range e.pinned {
		not = not || c.ReturnedNot
		if c.ReturnedAfter != nil && (after == nil || *c.ReturnedAfter > *after) {
			after = c.ReturnedAfter
		}
	}
	return after, not
}
