package report

import (
	"fmt"
	"strings"
)

// The codes of a probe's findings.
const (
	PinnedCharged    = "pinned_charged"     // to video memory, or to shared GPU memory
	PinnedNotCharged = "pinned_not_charged" // to neither
	PinnedUnknown    = "pinned_unknown"     // it could not be seen
	NoCard           = "no_card"            // there is nothing to measure
	ReturnsLate      = "returns_late"
	ReturnsAtOnce    = "returns_at_once"
	ReturnsNot       = "returns_not" // while it was watched
	ChurnFails       = "churn_fails"
	ChurnGrows       = "churn_grows"
	ChurnFlat        = "churn_flat"
	RingsCost        = "rings_cost"
	RingsFree        = "rings_free"
	LessRoom         = "less_room" // for device allocations beside pinned memory
	RefusesAll       = "refuses_all"
	Changed          = "changed" // since the baseline
	Unchanged        = "unchanged"
	WasInterrupted   = "interrupted"
)

// findings are what the probe shows, the most important one first.
func (e *evidence) findings() (out []Finding) {
	for _, f := range []func() (code, title, text string){e.charge, e.late, e.churns, e.costs, e.room, e.refuses, e.since, e.stopped} {
		code, title, text := f()
		switch {
		case code == "":
			continue
		case len(out) == 0:
			text = e.sentence(text)
		case e.Emulated:
			text = "Emulated: " + text
		default:
			text = upper(text)
		}
		out = append(out, Finding{Code: code, Emulated: e.Emulated, Title: title, Text: text})
	}
	if e.Emulated {
		out = append(out, Finding{Code: Emulated, Emulated: true, Title: "what these figures are",
			Text: "The memory figures come from a model of such a card. They were not measured on one."})
	}
	return out
}

// charge is the verdict: which segment, at what ratio, how late it came back.
func (e *evidence) charge() (code, title, text string) {
	switch {
	case e.segment == "" && !e.Emulated && e.Device != nil && e.Device.Kind == "cpu":
		return NoCard, "no NVIDIA card", "there is no NVIDIA card here, so there is nothing to measure: on the CPU device all kinds of memory are the same host memory. --emulate article-model shows what one developer met."
	case e.segment == "":
		return PinnedUnknown, "not seen", "whether pinned memory is charged to video memory could not be seen: " + e.blind() + "."
	case !e.charged():
		return PinnedNotCharged, "pinned memory is not charged to the card", e.notCharged()
	}
	var ratios []string
	for _, d := range []string{"local", "shared"} {
		if e.segment == d || e.segment == "both" {
			low, high := e.ratios(d)
			ratios = append(ratios, "ratio "+span(ratioText(low), ratioText(high)))
		}
	}
	where := map[string]string{"local": "video memory", "shared": "shared GPU memory, not to video memory", "both": "video memory and to shared GPU memory"}[e.segment]
	return PinnedCharged, "pinned memory is charged to " + where, fmt.Sprintf("pinned memory is charged to %s here: %s, %s.",
		where, strings.Join(ratios, " and "), e.returned())
}

// blind says why nothing could be seen.
func (e *evidence) blind() string {
	if len(e.pinned) > 0 {
		return "no source tells the memory of a card"
	}
	for i := range e.Rows {
		if r := &e.Rows[i]; r.Kind == "pinned" && r.Error != nil {
			return "no pinned memory could be had: " + *r.Error
		}
	}
	return "no pinned memory was allocated"
}

func (e *evidence) notCharged() string {
	most := int64(0)
	for _, c := range e.pinned {
		for _, d := range []*int64{c.DeviceDeltaBytes, c.SharedDeltaBytes} {
			if d != nil {
				most = max(most, *d)
			}
		}
	}
	first, last := e.pinned[0].Bytes, e.pinned[len(e.pinned)-1].Bytes
	return fmt.Sprintf("pinned memory is not charged to video memory here: %s of it changed what is in use by at most %s.",
		span(block(first), block(last)), size(most))
}

// returned is the return in words.
func (e *evidence) returned() string {
	after, not := e.slowest()
	switch {
	case not:
		return "not returned while it was watched"
	case after == nil:
		return "its return was not seen"
	}
	return "returned after " + later(*after)
}

// promptly is how soon memory must be back to count as at once, in milliseconds.
const promptly = 500

func (e *evidence) late() (code, title, text string) {
	if !e.charged() {
		return "", "", ""
	}
	after, not := e.slowest()
	switch {
	case not:
		return ReturnsNot, "it does not come back in time", "what was freed was still in use when the watch ended. Looked at straight after the free, this is taken for a leak."
	case after == nil:
		return "", "", ""
	case *after < promptly:
		return ReturnsAtOnce, "it comes back at once", fmt.Sprintf("what was freed was back within %s.", later(*after))
	}
	return ReturnsLate, "it comes back late", fmt.Sprintf("what was freed stayed in use for up to %s. Looked at straight after the free, this is taken for a leak.", later(*after))
}

func (e *evidence) churns() (code, title, text string) {
	c := e.Churn
	if c == nil || c.Done == 0 && c.FailedAt == nil {
		return "", "", ""
	}
	what := fmt.Sprintf("allocating and freeing %s bytes for each frame, %g times a second,", count(c.Bytes), c.Rate)
	switch {
	case c.FailedAt != nil:
		return ChurnFails, "a buffer for each frame runs out of memory", fmt.Sprintf("%s ran out of memory at frame %s%s. %s", what, count(*c.FailedAt), e.grown(), e.reuseText())
	case c.grows():
		return ChurnGrows, "a buffer for each frame grows", fmt.Sprintf("%s did not fail within %s%s. %s", what, plural(c.Frames, "frame"), e.grown(), e.reuseText())
	case c.Line == nil:
		return "", "", ""
	}
	return ChurnFlat, "a buffer for each frame takes no memory", fmt.Sprintf("%s left %s as it was over %s.", what, domainName(*c.Domain), plural(c.Frames, "frame"))
}

// grows reports whether use grew by more than a few of the buffers that are there anyway, and more
// than noise.
func (f *ProbeFrames) grows() bool {
	return f.GrowthBytes != nil && *f.GrowthBytes > floor && *f.GrowthBytes > 4*f.Bytes
}

func (e *evidence) grown() string {
	c := e.Churn
	if c.GrowthBytes == nil || *c.GrowthBytes <= 0 {
		return ""
	}
	s := fmt.Sprintf(", with %s more %s in use than at the first", size(*c.GrowthBytes), domainName(*c.Domain))
	if c.SlopePerSecond != nil {
		s += fmt.Sprintf(" (%s a second)", size(int64(*c.SlopePerSecond)))
	}
	return s
}

func (e *evidence) reuseText() string {
	r := e.Reuse
	switch {
	case r == nil || r.Done == 0 || r.GrowthBytes == nil:
		return ""
	case r.grows():
		return fmt.Sprintf("Three buffers that were reused grew by %s, too: others were at work.", size(*r.GrowthBytes))
	}
	return "Three buffers that were allocated once and reused stayed flat."
}

// costs is what rings of some sizes take.
func (e *evidence) costs() (code, title, text string) {
	switch {
	case len(e.Rings) == 0:
		return "", "", ""
	case !e.charged():
		return RingsFree, "a ring costs host memory only", fmt.Sprintf("a ring of pinned buffers takes nothing of %s here, %s or %s alike; what it takes is host memory that cannot be swapped.",
			domainName(e.Rings[0].Domain), block(e.Rings[0].Bytes), block(e.Rings[len(e.Rings)-1].Bytes))
	}
	var parts []string
	for _, r := range e.Rings {
		if r.LeftBytes < 0 {
			parts = append(parts, fmt.Sprintf("%s does not fit", block(r.Bytes)))
			continue
		}
		parts = append(parts, fmt.Sprintf("%s takes %s and leaves %s", block(r.Bytes), size(r.CostBytes), size(r.LeftBytes)))
	}
	return RingsCost, "what a ring costs", fmt.Sprintf("of the %s of %s that are left, a ring of %s.", size(e.source(e.domain()).Free), domainName(e.Rings[0].Domain), strings.Join(parts, ", one of "))
}

func (e *evidence) room() (code, title, text string) {
	m := e.Room
	if m == nil || m.PinnedBytes == nil || m.lost() < m.HeldBytes/20 {
		return "", "", ""
	}
	return LessRoom, "less room for device memory", fmt.Sprintf("beside %s of pinned memory the largest device allocation is %s, with pageable memory %s: %s less.",
		block(m.HeldBytes), size(*m.PinnedBytes), size(m.PageableBytes), size(m.lost()))
}

// lost is by how much pinned memory makes the largest device allocation smaller than pageable does.
func (m *ProbeRoom) lost() int64 { return m.PageableBytes - *m.PinnedBytes }

// refuses says that one refusal led to more.
func (e *evidence) refuses() (code, title, text string) {
	for i := range e.Rows {
		if s := e.Rows[i].Skipped; s != nil && strings.Contains(*s, "not even one of 4 KiB") {
			return RefusesAll, "a refusal is remembered", "after one request for pinned memory was refused all were, small ones too: a program has to be started again."
		}
	}
	return "", "", ""
}

func (e *evidence) since() (code, title, text string) {
	switch b := e.Baseline; {
	case b == nil:
		return "", "", ""
	case len(b.Changes) == 0:
		return Unchanged, "as before", "nothing changed since the earlier probe."
	default:
		return Changed, "what changed", strings.Join(b.Changes, " ")
	}
}

func (e *evidence) stopped() (code, title, text string) {
	if !e.Interrupted {
		return "", "", ""
	}
	return WasInterrupted, "interrupted", "the probe was interrupted: this is what it had measured until then. All memory was freed."
}
