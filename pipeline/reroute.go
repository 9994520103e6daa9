package pipeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/kernels"
)

// reroute brings all lanes home, so that nothing uses the old route, plans for pictures like f, and
// makes the rings that they need.
func (r *run) reroute(road context.Context, f *frame.Frame) error {
	idle, err := r.bringHome(road)
	defer func() {
		for _, l := range idle {
			r.free <- l
		}
	}()
	if err != nil {
		return err
	}
	if err := r.route.close(); err != nil {
		return err
	}
	r.route = nil
	first := r.first == nil
	route, err := r.plan(f.Info)
	if err != nil {
		return err
	}
	r.route = route
	if err := r.prepareLanes(f); err != nil {
		return err
	}
	if err := r.prepareRings(f); err != nil {
		return err
	}
	if err := r.prepareLanes(f); err != nil { // bands need buffers that memory used in place does not
		return err
	}
	if first {
		r.Ready(f.Info)
	}
	return nil
}

// bringHome waits for all lanes, and takes them. On an error it has taken those that it gives.
func (r *run) bringHome(road context.Context) (idle []*lane, err error) {
	for range r.lanes {
		select {
		case l := <-r.free:
			idle = append(idle, l)
		case <-road.Done():
			return idle, context.Cause(road)
		}
	}
	return idle, nil
}

// prepareRings allocates before the first frame what would otherwise be allocated by it.
func (r *run) prepareRings(f *frame.Frame) error {
	if r.passes(f) {
		return nil
	}
	result := r.route.resultBytes()
	if r.route.identity() { // what goes up comes down
		result = max(r.Staging.UploadBytes(f), packedBytes(f))
	}
	return r.Staging.Prepare(f, result, r.Sink.MaxHeld())
}

// packedBytes is the size of a picture without padding.
func packedBytes(f *frame.Frame) (n int) {
	for _, p := range f.Planes[:f.NumPlanes] {
		n += p.RowBytes * p.Rows
	}
	return n
}

// plan makes the route for pictures of in. The first one decides what the output looks like for a
// sink that cannot follow changes.
func (r *run) plan(in frame.Info) (*route, error) {
	route, err := newRoute(r.Device, r.program, r.Chain, in, r.Sink.Format)
	if err != nil {
		return nil, err
	}
	if r.first == nil {
		r.first = &route.out
		r.result.In, r.result.Out, r.result.Chain = in, route.out, route.chain
		r.noteAll(route)
		return route, nil
	}
	if r.Sink.FollowsSize() || sameShape(route.out, *r.first) {
		return route, nil
	}
	r.noteChange(in)
	if err := route.close(); err != nil {
		return nil, err
	}
	return r.planAsFirst(in, route.out)
}

// noteChange says that the output does not follow, once for each new shape and not without end: a file may
// change with every picture.
func (r *run) noteChange(in frame.Info) {
	const most = 8
	shape := fmt.Sprintf("%dx%d %s", in.Width, in.Height, in.Format)
	if in.Color.Range != "" && in.Color.Range != r.first.Color.Range {
		shape += " of range " + in.Color.Range
	}
	if slices.Contains(r.changes, shape) || len(r.changes) > most {
		return
	}
	r.changes = append(r.changes, shape)
	if len(r.changes) > most {
		r.Note("the picture changes further, which is not said any more")
		return
	}
	r.Note(fmt.Sprintf("the picture changed to %s; the output stays %dx%d %s", shape, r.first.Width, r.first.Height, r.first.Format))
}

// planAsFirst plans the chain, of which out comes, with a scale behind it that leads to the first result's
// size.
func (r *run) planAsFirst(in, out frame.Info) (*route, error) {
	text := conforming(out, *r.first)
	if !r.Chain.Empty() {
		text = r.Chain.String() + "," + text
	}
	chain, err := kernels.Parse(text)
	if err != nil {
		return nil, err
	}
	return newRoute(r.Device, r.program, chain, in, func(frame.PixelFormat) frame.PixelFormat { return r.first.Format })
}

func (r *run) noteAll(rt *route) {
	if rt.plan == nil {
		return
	}
	for _, n := range rt.plan.Notes {
		r.Note(n)
	}
}

// prepareLanes makes the device buffers that frames like f need. All lanes are idle.
func (r *run) prepareLanes(f *frame.Frame) error {
	if r.passes(f) {
		return nil
	}
	in, out := r.Staging.UploadBytes(f), r.route.resultBytes()
	if r.Staging.DownInPlace() {
		out = 0 // kernels write the download slot itself
	}
	for _, l := range r.lanes {
		if err := l.prepare(in, r.route.scratch(), out); err != nil {
			return err
		}
	}
	return nil
}
