package pipeline

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/transfer"
)

// route is the way that pictures of one Info take over the device: the plan with its kernels and
// tables. A size or format change makes a new one.
type route struct {
	in     frame.Info
	out    frame.Info
	chain  string        // with the conversion that the sink asked for
	plan   *kernels.Plan // nil when the pictures stay as they are
	bound  *kernels.Bound
	tables gpu.Buffer
}

// newRoute plans the chain for pictures of in. want is the sink's say in the format of the result.
func newRoute(dev gpu.Device, prog gpu.Program, chain kernels.Chain, in frame.Info, want func(frame.PixelFormat) frame.PixelFormat) (*route, error) {
	r := &route{in: in, out: in, chain: chain.String()}
	if chain.Empty() && want(in.Format) == in.Format {
		return r, nil // also for formats that no kernel knows
	}
	plan, added, err := planFor(chain, in, want)
	if err != nil {
		return nil, err
	}
	r.out = plan.Out
	if added && r.chain != "" {
		r.chain += ","
	}
	if added {
		r.chain += "format=" + string(plan.Out.Format)
	}
	if plan.Identity {
		return r, nil
	}
	r.plan = plan
	if r.bound, err = plan.Bind(prog); err != nil {
		return nil, err
	}
	if len(plan.Tables) > 0 {
		if r.tables, err = uploadTables(dev, plan.Tables); err != nil {
			return nil, fmt.Errorf("constant tables: %w", err)
		}
	}
	return r, nil
}

// planFor plans the chain, and plans it again with a conversion behind it when the sink cannot take
// what comes out; added tells which.
func planFor(chain kernels.Chain, in frame.Info, want func(frame.PixelFormat) frame.PixelFormat) (plan *kernels.Plan, added bool, err error) {
	if plan, err = chain.Plan(in, ""); err != nil {
		return nil, false, err
	}
	if w := want(plan.Out.Format); w != plan.Out.Format {
		plan, err = chain.Plan(in, w)
		return plan, true, err
	}
	return plan, false, nil
}

// identity reports whether the pictures stay as they are.
func (r *route) identity() bool { return r.plan == nil }

// describe makes the source's Meta that of the result.
func (r *route) describe(m frame.Meta) frame.Meta {
	if r.identity() {
		return m
	}
	return r.plan.Describe(m)
}

// scratch is the sizes of the scratch buffers.
func (r *route) scratch() []int {
	if r.identity() {
		return nil
	}
	return r.plan.Scratch
}

// resultBytes is the size of a result, 0 when it depends on where the picture lies.
func (r *route) resultBytes() int {
	if r.identity() {
		return 0
	}
	return r.plan.OutLayout.Size
}

// outBytes is the size of the block that comes down.
func (r *route) outBytes(st *transfer.Staged) int {
	if !r.identity() {
		return r.plan.OutLayout.Size
	}
	if st.Bytes() > 0 {
		return st.Bytes()
	}
	shape, n := st.Shape(), 0
	for p := range shape.NumPlanes {
		n += shape.RowBytes[p] * shape.Rows[p]
	}
	return n
}

// shape is the result's planes, rows and bytes of a row.
func (r *route) shape(st *transfer.Staged) frame.Layout {
	if r.identity() {
		return st.Shape()
	}
	return r.plan.OutLayout
}

// serves reports whether pictures of in can take this route. What does not change the pixels'
// meaning to the chain (time base, frame rate) does not count.
func (r *route) serves(in frame.Info) bool {
	return r != nil && r.in.Format == in.Format && r.in.Width == in.Width && r.in.Height == in.Height &&
		r.in.Color == in.Color && r.in.SAR == in.SAR
}

func (r *route) tablesAddr() gpu.Addr {
	if r.tables == nil {
		return 0
	}
	return r.tables.Addr()
}

func (r *route) close() error {
	if r == nil || r.tables == nil {
		return nil
	}
	return r.tables.Free()
}

// uploadTables copies constants to the device through host memory of the device's own, since
// commands cannot address the Go heap.
func uploadTables(dev gpu.Device, t []byte) (_ gpu.Buffer, err error) {
	h, err := dev.AllocHost(len(t), gpu.Pageable)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, h.Free()) }()
	copy(unsafe.Slice((*byte)(h.Ptr()), len(t)), t)
	d, err := dev.Alloc(len(t))
	if err != nil {
		return nil, err
	}
	s, err := dev.NewStream()
	if err != nil {
		return nil, errors.Join(err, d.Free())
	}
	var c gpu.Commands
	c.Copy(gpu.OpCopyH2D, d.Addr(), h.Addr(), len(t))
	if err = errors.Join(s.Submit(&c), s.Synchronize(), s.Close()); err != nil {
		return nil, errors.Join(err, d.Free())
	}
	return d, nil
}
