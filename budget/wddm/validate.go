package wddm

import (
	"fmt"

	"github.com/pinring/pinring/budget"
)

// Validate says why such a card cannot be, nil when it can.
func (p *Params) Validate() error {
	if err := p.validateSizes(); err != nil {
		return fmt.Errorf("emulated card: %w", err)
	}
	for _, f := range []float64{p.ChargeSmall, p.ChargeLarge, p.Managed, p.Mapped} {
		if !(f >= 0 && f <= 16) {
			return fmt.Errorf("emulated card: the charge ratio %v is not between 0 and 16", f)
		}
	}
	switch {
	case p.ChargeSmall > p.ChargeLarge:
		return fmt.Errorf("emulated card: charge-small %v is above charge-large %v", p.ChargeSmall, p.ChargeLarge)
	case p.Reclaim < 0 || p.ReclaimJitter < 0:
		return fmt.Errorf("emulated card: a negative reclaim delay")
	case p.InFlight < 1:
		return fmt.Errorf("emulated card: in-flight is %d; at least 1 is needed", p.InFlight)
	case p.Card != "" && p.Clock != WallClock:
		return fmt.Errorf("emulated card: processes that share card=%s need clock=wall", p.Card)
	case p.Card != "" && !cardName.MatchString(p.Card):
		return fmt.Errorf("emulated card: card name %q is not 1 to 32 letters, digits, - and _", p.Card)
	}
	return nil
}

// mostBytes keeps sums far from overflow: 1 PiB.
const mostBytes = int64(1) << 50

func (p *Params) validateSizes() error {
	sizes := []int64{p.Total, p.Others, p.Context, p.Resident, p.Budget, p.Headroom, p.SharedTotal,
		p.SharedOthers, p.SharedResident, p.RAM, p.RAMOthers}
	for _, x := range p.Pressure {
		sizes = append(sizes, x.Bytes)
	}
	for _, n := range sizes {
		if n < 0 || n > mostBytes {
			return fmt.Errorf("a size of %d bytes is not between 0 and 1 PiB", n)
		}
	}
	switch {
	case p.Total == 0:
		return fmt.Errorf("total is 0: a card needs memory")
	case p.Budget == 0 && p.Headroom == 0:
		return fmt.Errorf("neither budget nor headroom is given")
	case p.Others+p.Context+p.Resident > p.Total:
		return fmt.Errorf("others, context and resident are %s, more than the card's %s",
			budget.FormatBytes(p.Others+p.Context+p.Resident), budget.FormatBytes(p.Total))
	case p.sharedTotal() > 0 && p.SharedOthers+p.SharedResident > p.sharedTotal():
		return fmt.Errorf("shared-others and shared-resident are more than shared-total")
	case p.Segment != Local && p.sharedTotal() == 0:
		return fmt.Errorf("segment=%s needs shared-total or ram", p.Segment)
	case p.RAM > 0 && p.RAMOthers > p.RAM:
		return fmt.Errorf("ram-others is more than ram")
	}
	return nil
}
