package report

import (
	"fmt"
	"math"
	"strings"
)

// claims says of each claim of the report whether it holds here. What was not measured is not seen,
// with the reason: nothing is taken for granted.
func (e *evidence) claims() []Claim {
	all := []struct {
		claim string
		here  func() (string, string)
	}{
		{"with about 1 GB pinned, a device allocation no longer fits that fitted before", e.symptom},
		{"used video memory grows by 1.016 to 1.05 bytes for each pinned byte, by nothing for pageable memory", e.growth},
		{"after the free it comes back only after seconds", e.comesLate},
		{"allocating and freeing a pinned buffer for each frame runs out of memory", e.caseStudy},
		{"each process has a budget that is smaller than the card", e.budget},
		{"buffers that are allocated once and reused stay flat", e.advice},
		{"tools and interfaces count differently", e.counting},
		{"several processes add up", e.processes},
		{"with pageable in place of pinned memory the growth goes away", e.diagnosis},
		{"it depends on the versions of driver and system", e.versions},
		{"on cards of 24 GB and more it does not matter", e.large},
		{"pinned memory takes from the largest device allocation", e.tradeOff},
		{"allocating and freeing pinned memory is expensive", e.expensive},
	}
	out := make([]Claim, len(all))
	for i, c := range all {
		here, why := c.here()
		out[i] = Claim{Number: i + 1, Claim: c.claim, Here: here, Why: why}
	}
	return out
}

// decided is holds or not.
func decided(holds bool) string {
	if holds {
		return Holds
	}
	return HoldNot
}

func (e *evidence) symptom() (string, string) {
	m := e.Room
	switch {
	case m == nil:
		return NotSeen, "no device allocation was tried"
	case m.PinnedBytes == nil:
		return NotSeen, fmt.Sprintf("%s of pinned memory could not be had", block(m.HeldBytes))
	}
	return decided(m.lost() >= m.HeldBytes/20), fmt.Sprintf("with %s pinned the largest device allocation is %s, without %s", block(m.HeldBytes), size(*m.PinnedBytes), size(m.NothingBytes))
}

// reported is the growth for a byte that was reported for a size.
func reported(bytes int64) float64 {
	const small, large = 1.016, 1.05
	t := math.Min(math.Max(float64(bytes-512<<20)/float64(512<<20), 0), 1)
	return small + t*(large-small)
}

func (e *evidence) growth() (string, string) {
	if e.segment == "" {
		return NotSeen, e.blind()
	}
	low, high := e.ratios("local")
	why := "pinned: " + span(ratioText(low), ratioText(high)) + " bytes for each"
	holds := len(e.pinned) > 0
	for _, c := range e.pinned {
		holds = holds && math.Abs(c.local/reported(c.Bytes)-1) < 0.05
	}
	if len(e.pageable) > 0 {
		most := 0.0
		for _, c := range e.pageable {
			most = max(most, c.local)
		}
		why += fmt.Sprintf("; pageable: %s at most", ratioText(most))
		holds = holds && most < leastCharge
	}
	if _, shared := e.ratios("shared"); shared >= leastCharge {
		why += fmt.Sprintf("; shared GPU memory grows by %s", ratioText(shared))
	}
	return decided(holds), why
}

func (e *evidence) comesLate() (string, string) {
	if !e.charged() {
		return NotSeen, "nothing was charged, so nothing had to come back"
	}
	after, not := e.slowest()
	switch {
	case not:
		return Holds, "it was not back when the watch ended"
	case after == nil:
		return NotSeen, "the return was not seen"
	}
	const aSecond = 1000 // milliseconds
	return decided(*after >= aSecond), "back after " + later(*after)
}

func (e *evidence) caseStudy() (string, string) {
	c := e.Churn
	switch {
	case c == nil || c.Done == 0 && c.FailedAt == nil:
		return NotSeen, "frames were not tried"
	case c.FailedAt != nil:
		return Holds, fmt.Sprintf("out of memory at frame %s", count(*c.FailedAt))
	case c.grows():
		return HoldNot, fmt.Sprintf("use grew by %s, but %s fitted", size(*c.GrowthBytes), plural(c.Done, "frame"))
	}
	return HoldNot, fmt.Sprintf("%s fitted, and use did not grow", plural(c.Done, "frame"))
}

func (e *evidence) budget() (string, string) {
	var own, card *Source // the tightest budget of a process, the largest card
	for i := range e.Sources {
		s := &e.Sources[i]
		if s.Domain != "local" {
			continue
		}
		if budgeted := strings.Contains(s.Source, "LOCAL"); budgeted && (own == nil || s.Total < own.Total) {
			own = s
		} else if !budgeted && (card == nil || s.Total > card.Total) {
			card = s
		}
	}
	if own == nil || card == nil {
		return NotSeen, "no source here tells the budget of a process; DXGI does, on Windows"
	}
	return decided(own.Total < card.Total), fmt.Sprintf("%s: %s, %s: %s", own.Source, size(own.Total), card.Source, size(card.Total))
}

func (e *evidence) advice() (string, string) {
	r := e.Reuse
	switch {
	case r == nil || r.Done == 0:
		return NotSeen, "no buffers were reused"
	case r.GrowthBytes == nil:
		return NotSeen, "no source tells the memory of a card"
	}
	return decided(!r.grows()), fmt.Sprintf("%s with three buffers: %s more in use at most", plural(r.Done, "frame"), size(max(*r.GrowthBytes, 0)))
}

func (e *evidence) counting() (string, string) {
	if e.Emulated {
		return NotSeen, "one model tells all the numbers here"
	}
	var parts []string
	low, high := int64(math.MaxInt64), int64(0)
	for _, s := range e.Sources {
		if s.Domain == "local" {
			parts = append(parts, fmt.Sprintf("%s: %s", s.Source, size(s.Used)))
			low, high = min(low, s.Used), max(high, s.Used)
		}
	}
	if len(parts) < 2 {
		return NotSeen, "there is only one source for video memory here"
	}
	return decided(high-low > floor), "in use by " + strings.Join(parts, ", ")
}

func (e *evidence) processes() (string, string) {
	return NotSeen, "this is one process; watch several at once with the command watch"
}

func (e *evidence) diagnosis() (string, string) {
	switch {
	case e.segment == "" || len(e.pageable) == 0:
		return NotSeen, "pinned and pageable memory were not both seen"
	case !e.charged():
		return NotSeen, "pinned memory did not make anything grow"
	}
	most := 0.0
	for _, c := range e.pageable {
		most = max(most, c.of(e.domain()))
	}
	return decided(most < leastCharge), fmt.Sprintf("pageable memory: %s of a byte for each", ratioText(most))
}

func (e *evidence) versions() (string, string) {
	b := e.Baseline
	switch {
	case b == nil:
		return NotSeen, "there is no earlier probe to compare with (--baseline)"
	case len(b.Facts) == 0:
		return NotSeen, "the earlier probe was made with the same versions"
	case len(b.Ratios) == 0:
		return NotSeen, "the two probes have no size in common"
	}
	changed := false
	for i := range b.Ratios {
		changed = changed || b.Ratios[i].differs()
	}
	return decided(changed), strings.Join(b.Changes, " ")
}

func (e *evidence) large() (string, string) {
	total := int64(0)
	for _, s := range e.Sources {
		if s.Domain == "local" {
			total = max(total, s.Total)
		}
	}
	const largeCard = 23_500_000_000 // cards sold as 24 GB
	switch {
	case total == 0:
		return NotSeen, "the size of the card is not known"
	case total < largeCard:
		return NotSeen, fmt.Sprintf("this card has %s", size(total))
	case e.Churn == nil || e.segment == "":
		return NotSeen, "it was not measured"
	case e.Churn.FailedAt != nil:
		return HoldNot, fmt.Sprintf("this card has %s, and a buffer for each frame ran out of memory", size(total))
	}
	return Holds, fmt.Sprintf("this card has %s, and %s fitted", size(total), plural(e.Churn.Done, "frame"))
}

func (e *evidence) tradeOff() (string, string) {
	m := e.Room
	if m == nil || m.PinnedBytes == nil {
		return e.symptom()
	}
	return decided(m.lost() >= m.HeldBytes/20), fmt.Sprintf("beside %s: %s pinned, %s pageable", block(m.HeldBytes), size(*m.PinnedBytes), size(m.PageableBytes))
}

func (e *evidence) expensive() (string, string) {
	c := e.Churn
	if c == nil || c.AllocMicros == nil || c.FreeMicros == nil {
		return NotSeen, "no memory was really allocated"
	}
	const much = 500 // microseconds for a frame
	each := c.AllocMicros.P50 + c.FreeMicros.P50
	return decided(each >= much), fmt.Sprintf("%s bytes: %s to allocate, %s to free (medians)", count(c.Bytes), micros(c.AllocMicros.P50), micros(c.FreeMicros.P50))
}
