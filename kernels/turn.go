package kernels

import "github.com/pinring/pinring/frame"

// turn is one of the eight ways to lay a picture down, as turn.cu does it: output pixel (x, y) is
// source pixel (x, y), or (y, x) when transposed, with columns or rows of the source counted from the
// other end where mirrored. The zero value leaves the picture as it is.
type turn struct{ transposed, mirrorX, mirrorY bool }

// then is the turn that t and after it u make together.
func (t turn) then(u turn) turn {
	if t.transposed {
		u.mirrorX, u.mirrorY = u.mirrorY, u.mirrorX
	}
	return turn{t.transposed != u.transposed, t.mirrorX != u.mirrorX, t.mirrorY != u.mirrorY}
}

// turnRows is the output rows of an item, turnBlock the items in a block of the device.
const (
	turnRows  = 16
	turnBlock = 8
)

// turnPlane mirrors struct TurnPlane of turn.cu.
type turnPlane struct{ First, W, H, Bytes, Count int32 }

// turnParams mirrors struct Turn of turn.cu.
type turnParams struct {
	Planes, Transposed, MirrorX, MirrorY int32
	Plane                                [frame.MaxPlanes]turnPlane
}

// params describes the turn to a picture of out.
func (t turn) params(out frame.Info) turnParams {
	d, _ := frame.Describe(out.Format)
	p := turnParams{Planes: int32(d.Planes()), Transposed: int32(boolIndex(t.transposed)),
		MirrorX: int32(boolIndex(t.mirrorX)), MirrorY: int32(boolIndex(t.mirrorY))}
	first := 0
	for n := range d.Planes() {
		w, h := d.PlaneSize(n, out.Width, out.Height)
		bytes := sampleBytes(d)
		p.Plane[n] = turnPlane{int32(first), int32(w), int32(h), int32(bytes), int32(d.RowBytes(n, out.Width) / w / bytes)}
		first += itemsOf(h)
	}
	return p
}

// size is the items of the launch: the planes' strips one below the other.
func (t turn) size(out frame.Info) (cols, rows int) {
	d, _ := frame.Describe(out.Format)
	for n := range d.Planes() {
		_, h := d.PlaneSize(n, out.Width, out.Height)
		rows += itemsOf(h)
	}
	return out.Width, rows
}

// itemsOf is the items for the rows of a plane: whole blocks, so that none lies in two planes.
func itemsOf(rows int) int {
	const block = turnRows * turnBlock
	return (rows + block - 1) / block * turnBlock
}
