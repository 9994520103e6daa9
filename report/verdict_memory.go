package report

import (
	"fmt"
	"strings"
)

// exhausts tells of each run that ran out of memory; reuse and guarded churn have rules of their own.
func exhausts(g *group) (out []Finding) {
	base := g.base()
	for i := range g.members {
		m := &g.members[i]
		if m.Outcome != OOM || m.Staging == reuse || m.Staging == churn && guarded(m.Run) {
			continue
		}
		title := m.label + " ran out of memory" + atFrame(m.Run)
		text := fmt.Sprintf("%s, %s%s.", g.where(), title, refusedText(m.Run))
		if base != nil {
			title += "; reuse did not"
			text += besideReuse(m.Run, base.Run)
		}
		out = append(out, g.finding(Exhausts, title, text))
	}
	return out
}

// atFrame is " at frame 156", "" when the frame is not known.
func atFrame(r *Run) string {
	switch {
	case r.OutOfMemory != nil && r.OutOfMemory.Frame != nil:
		return " at frame " + count(*r.OutOfMemory.Frame)
	case r.Error != nil && r.Error.Frame != nil:
		return " at frame " + count(*r.Error.Frame)
	}
	return ""
}

// refusedText says which request was refused and how full the budget was.
func refusedText(r *Run) string {
	o := r.OutOfMemory
	if o == nil || o.RequestedBytes <= 0 {
		return ""
	}
	s := fmt.Sprintf(": %s bytes were refused", count(o.RequestedBytes))
	if o.UsageBytes == nil || o.BudgetBytes == nil {
		return s
	}
	used, budget := *o.UsageBytes, *o.BudgetBytes
	if used > budget {
		s += fmt.Sprintf(" with %s in use, over the budget of %s", size(used), size(budget))
	} else {
		s += fmt.Sprintf(" with %s left of the budget of %s", size(budget-used), size(budget))
	}
	if p := o.PendingReclaimBytes; p != nil && *p > 0 {
		s += fmt.Sprintf("; %s had been freed and not been reclaimed yet", size(*p))
	}
	return s
}

// besideReuse says how much more was in use than with reuse, and how reuse fared.
func besideReuse(r, base *Run) string {
	done := "Reuse finished" + framesOf(base)
	b, ok := readCurve(base.Series)
	used, known := usageAtEnd(r)
	if !ok || !known || !alike(r, base) {
		return " " + done + "."
	}
	s := ""
	if more := used - b.high; more > floor {
		s = fmt.Sprintf(" That is %s more in use than with reuse.", size(more))
	}
	if b.span <= floor {
		return s + fmt.Sprintf(" %s, flat at %s.", done, size(b.high))
	}
	return s + fmt.Sprintf(" %s with %s in use at most.", done, size(b.high))
}

// framesOf is " all 960 frames", "" when the count is not known.
func framesOf(r *Run) string {
	switch {
	case r.Frames == nil || r.Frames.Delivered <= 0:
		return ""
	case r.Outcome == OK:
		return fmt.Sprintf(" all %s", plural(r.Frames.Delivered, "frame"))
	}
	return " " + plural(r.Frames.Delivered, "frame")
}

// reuseExhausts tells that the ring itself does not fit.
func reuseExhausts(g *group) []Finding {
	m := g.find(func(r *Run) bool { return r.Staging == reuse && r.Outcome == OOM })
	if m == nil {
		return nil
	}
	title := m.label + " ran out of memory" + atFrame(m.Run)
	return []Finding{g.finding(ReuseExhausts, title, fmt.Sprintf(
		"%s, %s%s. The ring itself does not fit here: make it smaller (--slots, --max-pinned) or free memory first.",
		g.where(), title, refusedText(m.Run)))}
}

// cause compares churn that grew or failed with the same work in pageable memory: the diagnosis by
// replacing pinned memory with malloc.
func cause(g *group) []Finding {
	c, p := g.plainChurn(), g.find(func(r *Run) bool { return r.Staging == pageable })
	if c == nil || p == nil || c.Outcome != OOM && !finished(c.Run) {
		return nil
	}
	cc, okC := readCurve(c.Series)
	if c.Outcome != OOM && (!okC || cc.rise <= floor) {
		return nil // there is nothing to explain
	}
	if p.Outcome == OOM {
		return []Finding{g.finding(NotCause, "pageable memory ran out too", fmt.Sprintf(
			"%s, pageable memory in place of pinned ran out too%s: pinned memory is not the only cause.", g.where(), atFrame(p.Run)))}
	}
	if !finished(p.Run) || delivered(p.Run) < delivered(c.Run) {
		return nil
	}
	cp, okP := readCurve(p.Series)
	if !okC || !okP || cc.rise <= floor || !alike(c.Run, p.Run) {
		return causeByOutcome(g, c.Run, p.Run)
	}
	return []Finding{causeByGrowth(g, cc.rise, cp.rise)}
}

// causeByOutcome is what can be said without curves: churn failed, pageable did not.
func causeByOutcome(g *group, c, p *Run) []Finding {
	if c.Outcome != OOM {
		return nil
	}
	return []Finding{g.finding(Cause, "pinned memory is what ran out", fmt.Sprintf(
		"%s, pageable memory in its place finished%s: pinned memory is what ran out.", g.where(), framesOf(p)))}
}

func causeByGrowth(g *group, churned, paged int64) Finding {
	grew := fmt.Sprintf("%s, usage grew by %s with churn and ", g.where(), size(churned))
	if paged > 0 {
		grew += fmt.Sprintf("by %s with pageable memory in its place", size(paged))
	} else {
		grew += "not at all with pageable memory in its place"
	}
	switch {
	case paged <= floor && paged < churned/2:
		return g.finding(Cause, "pinned memory is the cause", grew+". The growth vanishes with pageable memory: pinned memory is the cause.")
	case paged < churned/2:
		return g.finding(PartCause, "pinned memory is most of the cause", grew+": pinned memory is most of the cause, not all of it.")
	}
	return g.finding(NotCause, "pinned memory is not the cause", grew+". The growth does not vanish with pageable memory: pinned memory is not its main cause.")
}

func delivered(r *Run) int64 {
	if r.Frames == nil {
		return 0
	}
	return r.Frames.Delivered
}

// growth tells what churn that finished did to memory.
func growth(g *group) []Finding {
	c := g.plainChurn()
	if c == nil || !finished(c.Run) {
		return nil
	}
	if !g.emulated && g.device != nil && g.device.Kind == "cpu" {
		return []Finding{g.finding(CPUDevice, "there is no card here that could run out", "The CPU device works in host memory and does not "+
			"page-lock it, so churn cannot run out of device memory here. --emulate article-video plays an 8 GB card that can.")}
	}
	cv, ok := readCurve(c.Series)
	switch {
	case !ok:
		return nil
	case cv.rise <= floor:
		return []Finding{noGrowth(g, c.Run, cv)}
	case !cv.settled:
		return []Finding{stillGrowing(g, c.Run, cv)}
	}
	return []Finding{room(g, c.Run, cv)}
}

func noGrowth(g *group, c *Run, cv curve) Finding {
	text := fmt.Sprintf("%s, usage did not grow with churn: it rose by %s at most", g.where(), size(cv.rise))
	if r := busier(c); r != nil && r.Frees > 0 {
		text += fmt.Sprintf(" while %s were allocated and freed", plural(r.Allocs, "buffer"))
	}
	text += "."
	if !g.emulated && g.device != nil && g.device.DriverModel != nil && strings.EqualFold(*g.device.DriverModel, "linux") {
		text += " Under Linux pinned memory is host memory and is not charged to the card, so churn does not exhaust it."
	}
	return g.finding(NoGrowth, "no growth here: churn does not use up memory", text)
}

func stillGrowing(g *group, c *Run, cv curve) Finding {
	text := fmt.Sprintf("%s, churn finished%s, but usage had risen by %s and was still rising at the end, by %s a frame.",
		g.where(), framesOf(c), size(cv.rise), size(int64(cv.perFrame)))
	if left, ok := headroomAtEnd(c); ok && cv.perFrame > 0 && left > 0 {
		text += fmt.Sprintf(" If that went on, the %s that were left would last for about %s more.",
			size(left), plural(int64(float64(left)/cv.perFrame), "frame"))
	}
	return g.finding(StillGrowing, "churn was still growing when the input ended", text)
}

// room is the verdict on a card that is large enough: what is pending settles at rate × size × delay,
// and that fits.
func room(g *group, c *Run, cv curve) Finding {
	left, known := leastHeadroom(c)
	text := fmt.Sprintf("%s, usage rose by %s with churn and then stayed there: memory came back as fast as it was taken.", g.where(), size(cv.rise))
	if !known {
		return g.finding(Room, "churn grows and settles", text)
	}
	if left < cv.rise {
		return g.finding(Room, "churn fits, but only just", text+fmt.Sprintf(
			" At the worst %s were left, less than the growth itself: larger frames or a higher rate can exhaust it.", size(left)))
	}
	return g.finding(Room, "churn does not matter here: there is room for its growth", text+fmt.Sprintf(
		" At the worst %s were still free, so churn does not matter here.", size(left)))
}

// leastHeadroom is the lowest headroom of a run, from its budget or from its series.
func leastHeadroom(r *Run) (int64, bool) {
	if r.Budget != nil {
		return r.Budget.MinHeadroomBytes, true
	}
	if len(r.Series) == 0 {
		return 0, false
	}
	least := r.Series[0].Budget - r.Series[0].Usage
	for _, x := range r.Series {
		least = min(least, x.Budget-x.Usage)
	}
	return least, true
}

func headroomAtEnd(r *Run) (int64, bool) {
	if len(r.Series) == 0 {
		return 0, false
	}
	x := r.Series[len(r.Series)-1]
	return x.Budget - x.Usage, true
}

// busier is the direction with more allocations, which is the one whose times are shown; nil when
// there is none.
func busier(r *Run) *Ring {
	up, down := r.HostMemory.Upload, r.HostMemory.Download
	if up == nil || down != nil && down.Allocs > up.Allocs {
		return down
	}
	return up
}

// segment names the memory that limits, where it is not the card's own.
func segment(g *group) []Finding {
	for _, m := range []*member{g.plainChurn(), g.guardedChurn(), g.base()} {
		if m == nil {
			continue
		}
		verb, domain := "limits", limiting(m.Run)
		if m.Outcome == OOM {
			verb = "ran out"
		}
		switch domain {
		case "shared":
			return []Finding{g.finding(SharedLimits, "shared GPU memory is the limit", fmt.Sprintf(
				"%s, what %s with %s is shared GPU memory (the NON_LOCAL segment: host memory that the card may map), not the card's own (LOCAL).",
				g.where(), verb, m.label))}
		case "host":
			return []Finding{g.finding(HostLimits, "host RAM is the limit", fmt.Sprintf("%s, what %s with %s is host RAM, not memory of the card.",
				g.where(), verb, m.label))}
		}
	}
	return nil
}

func limiting(r *Run) string {
	switch {
	case r.OutOfMemory != nil && r.OutOfMemory.Domain != nil:
		return *r.OutOfMemory.Domain
	case r.Budget != nil:
		return r.Budget.Limiting
	}
	return ""
}

// deviceRoom compares the largest device allocation that each mode leaves possible: pinned memory is
// a loss when it makes the batch smaller.
func deviceRoom(g *group) []Finding {
	var low, high *member
	var parts []string
	for i := range g.members {
		m := &g.members[i]
		if m.LargestDeviceAllocBytes == nil {
			continue
		}
		n := *m.LargestDeviceAllocBytes
		parts = append(parts, fmt.Sprintf("%s with %s", size(n), m.label))
		if low == nil || n < *low.LargestDeviceAllocBytes {
			low = m
		}
		if high == nil || n > *high.LargestDeviceAllocBytes {
			high = m
		}
	}
	if low == nil || *high.LargestDeviceAllocBytes-*low.LargestDeviceAllocBytes <= floor {
		return nil
	}
	return []Finding{g.finding(DeviceRoom, fmt.Sprintf("%s leaves the least room on the device", low.label), fmt.Sprintf(
		"%s, the largest device allocation still possible was %s.", g.where(), strings.Join(parts, ", ")))}
}
