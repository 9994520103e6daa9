package kerneltest

import (
	"bytes"
	"errors"
	"fmt"
	"unsafe"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/kernels"
)

const poison = 0xA5 // what outputs hold before a run

// Run sends one picture (packed tightly, as Picture makes them) through a chain and returns the
// output, packed likewise, and its description. On the way it checks that the source and the padding
// of the output's rows are left as they were. The source lies in its buffer with odd strides and
// offsets, its last row at the buffer's very end.
func Run(dev gpu.Device, prog gpu.Program, chain string, in frame.Info, want frame.PixelFormat, src []byte) ([]byte, frame.Info, error) {
	p, err := plan(chain, in, want)
	if err != nil {
		return nil, frame.Info{}, err
	}
	out, err := runPlan(dev, prog, p, src)
	return out, p.Out, err
}

func plan(chain string, in frame.Info, want frame.PixelFormat) (*kernels.Plan, error) {
	c, err := kernels.Parse(chain)
	if err != nil {
		return nil, err
	}
	return c.Plan(in, want)
}

func runPlan(dev gpu.Device, prog gpu.Program, p *kernels.Plan, src []byte) ([]byte, error) {
	if p.Identity {
		return src, nil
	}
	r := &runner{dev: dev, plan: p}
	defer r.free()
	return r.run(prog, src)
}

// runner owns the resources of one run.
type runner struct {
	dev    gpu.Device
	plan   *kernels.Plan
	free_  []func() error
	stream gpu.Stream
}

func (r *runner) free() {
	for i := len(r.free_) - 1; i >= 0; i-- {
		_ = r.free_[i]()
	}
}

// host allocates host memory that outlives the stream.
func (r *runner) host(bytes int) ([]byte, gpu.Addr, error) {
	b, err := r.dev.AllocHost(bytes, gpu.Pinned)
	if err != nil {
		return nil, 0, err
	}
	r.free_ = append(r.free_, b.Free)
	return unsafe.Slice((*byte)(b.Ptr()), bytes), b.Addr(), nil
}

func (r *runner) device(bytes int) (gpu.Addr, error) {
	b, err := r.dev.Alloc(bytes)
	if err != nil {
		return 0, err
	}
	r.free_ = append(r.free_, b.Free)
	return b.Addr(), nil
}

// buffers are the memory of a run.
type buffers struct {
	src, out, tables             []byte // host
	srcHost, outHost, tablesHost gpu.Addr
	srcDev, outDev, tablesDev    gpu.Addr
	scratch                      []gpu.Addr
}

func (r *runner) allocate(srcBytes int) (b buffers, err error) {
	outBytes := r.plan.OutLayout.Size
	if b.src, b.srcHost, err = r.host(srcBytes); err != nil {
		return b, err
	}
	if b.out, b.outHost, err = r.host(outBytes); err != nil {
		return b, err
	}
	if b.tables, b.tablesHost, err = r.host(len(r.plan.Tables)); err != nil {
		return b, err
	}
	if b.srcDev, err = r.device(srcBytes); err != nil {
		return b, err
	}
	if b.outDev, err = r.device(outBytes); err != nil {
		return b, err
	}
	if b.tablesDev, err = r.device(len(r.plan.Tables)); err != nil {
		return b, err
	}
	for _, n := range r.plan.Scratch {
		a, err := r.device(n)
		if err != nil {
			return b, err
		}
		b.scratch = append(b.scratch, a)
	}
	return b, nil
}

func (r *runner) run(prog gpu.Program, src []byte) ([]byte, error) {
	bound, err := r.plan.Bind(prog)
	if err != nil {
		return nil, err
	}
	l := awkward(r.plan.In)
	b, err := r.allocate(l.Size)
	if err != nil {
		return nil, err
	}
	if r.stream, err = r.dev.NewStream(); err != nil {
		return nil, err
	}
	r.free_ = append(r.free_, r.stream.Close)
	copy(b.src, bytes.Repeat([]byte{poison}, len(b.src)))
	move(l, b.src, src, true)
	copy(b.tables, r.plan.Tables)
	before := string(b.src)

	var c gpu.Commands
	c.Copy(gpu.OpCopyH2D, b.srcDev, b.srcHost, len(b.src))
	c.Copy(gpu.OpCopyH2D, b.tablesDev, b.tablesHost, len(b.tables))
	c.Fill(b.outDev, poison, len(b.out))
	bound.Record(&c, kernels.At(l, b.srcDev), kernels.At(r.plan.OutLayout, b.outDev), b.scratch, b.tablesDev)
	c.Copy(gpu.OpCopyD2H, b.outHost, b.outDev, len(b.out))
	c.Copy(gpu.OpCopyD2H, b.srcHost, b.srcDev, len(b.src))
	if err := errors.Join(r.stream.Submit(&c), r.stream.Synchronize()); err != nil {
		return nil, err
	}
	if string(b.src) != before {
		return nil, errors.New("the source was changed")
	}
	return gather(r.plan.OutLayout, b.out)
}

// awkward lays a picture out with odd strides (even ones for 16-bit samples), gaps between planes,
// and nothing behind the last row.
func awkward(in frame.Info) frame.Layout {
	l, _ := frame.NewLayout(in.Format, in.Width, in.Height, 1)
	d, _ := frame.Describe(in.Format)
	unit := (d.Depth() + 7) / 8
	l.Size = 5 * unit
	for p := range l.NumPlanes {
		l.Offset[p] = l.Size
		l.Stride[p] = l.RowBytes[p] + (3+4*p)*unit
		l.Size += l.Stride[p]*(l.Rows[p]-1) + l.RowBytes[p] + unit*(1-(p+1)/l.NumPlanes)
	}
	const align = 256 // of device memory: shift the picture to the end
	shift := (align - l.Size%align) % align
	for p := range l.NumPlanes {
		l.Offset[p] += shift / unit * unit
	}
	l.Size += shift
	return l
}

// move copies a tightly packed picture into the layout, or out of it.
func move(l frame.Layout, block, packed []byte, in bool) {
	at := 0
	for p := range l.NumPlanes {
		for y := range l.Rows[p] {
			row := block[l.Offset[p]+y*l.Stride[p]:][:l.RowBytes[p]]
			if in {
				copy(row, packed[at:])
			} else {
				copy(packed[at:], row)
			}
			at += len(row)
		}
	}
}

// gather packs the output and checks that the padding is as it was.
func gather(l frame.Layout, block []byte) ([]byte, error) {
	tight, err := frame.NewLayout(l.Format, l.Width, l.Height, 1)
	if err != nil {
		return nil, err
	}
	out := make([]byte, tight.Size)
	move(l, block, out, false)
	for p := range l.NumPlanes {
		for y := range l.Rows[p] {
			padding := block[l.Offset[p]+y*l.Stride[p]:][l.RowBytes[p]:l.Stride[p]]
			if bytes.Count(padding, []byte{poison}) != len(padding) {
				return nil, fmt.Errorf("padding of plane %d, row %d was written", p, y)
			}
		}
	}
	return out, nil
}
