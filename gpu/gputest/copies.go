package gputest

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/pinring/pinring/gpu"
)

const arena = 1 << 18 // bytes of each buffer that the random copies work in

// trio is a source on the host, a buffer on the device, and a destination on the host.
type trio struct {
	src, dst gpu.HostBuffer
	dev      gpu.Buffer
}

func (r *rig) trio(bytes int) trio { return trio{r.host(bytes), r.host(bytes), r.device(bytes)} }

// testCopy1D copies a random piece up to a random place, about, and down again. All bytes outside
// must stay as they were.
func testCopy1D(r *rig) {
	b := r.trio(arena)
	noise(bytes(b.src), 1)
	check := func(t *rapid.T) {
		n := rapid.IntRange(0, arena/4).Draw(t, "bytes")
		from := rapid.IntRange(0, arena-n).Draw(t, "from")
		via := rapid.IntRange(0, arena/2-n).Draw(t, "via")
		then := rapid.IntRange(arena/2, arena-n).Draw(t, "then")
		to := rapid.IntRange(0, arena-n).Draw(t, "to")
		fill(bytes(b.dst), 0xA5)
		want := slices.Clone(bytes(b.dst))
		copy(want[to:to+n], bytes(b.src)[from:from+n])
		r.do(func(c *gpu.Commands) {
			c.Copy(gpu.OpCopyH2D, b.dev.Addr()+gpu.Addr(via), b.src.Addr()+gpu.Addr(from), n)
			c.Copy(gpu.OpCopyD2D, b.dev.Addr()+gpu.Addr(then), b.dev.Addr()+gpu.Addr(via), n)
			c.Copy(gpu.OpCopyD2H, b.dst.Addr()+gpu.Addr(to), b.dev.Addr()+gpu.Addr(then), n)
		})
		if i := firstDifference(bytes(b.dst), want); i >= 0 {
			t.Fatalf("byte %d is %#x, want %#x", i, bytes(b.dst)[i], want[i])
		}
	}
	r.property(check)
}

// testCopy2D does the same with rectangles of three different pitches.
func testCopy2D(r *rig) {
	b := r.trio(arena)
	noise(bytes(b.src), 2)
	check := func(t *rapid.T) {
		width := rapid.IntRange(0, 400).Draw(t, "width")
		rows := rapid.IntRange(0, 150).Draw(t, "rows")
		pitch := func(name string) int { return width + rapid.SampledFrom([]int{0, 1, 63, 300}).Draw(t, name) }
		p0, p1, p2, p3 := pitch("source pitch"), pitch("device pitch"), pitch("second device pitch"), pitch("destination pitch")
		at := rapid.IntRange(0, 4096).Draw(t, "at")
		fill(bytes(b.dst), 0x5A)
		want := slices.Clone(bytes(b.dst))
		for y := range rows {
			copy(want[y*p3:y*p3+width], bytes(b.src)[at+y*p0:])
		}
		r.do(func(c *gpu.Commands) {
			half := b.dev.Addr() + arena/2
			c.Copy2D(gpu.OpCopyH2D, b.dev.Addr(), p1, b.src.Addr()+gpu.Addr(at), p0, width, rows)
			c.Copy2D(gpu.OpCopyD2D, half, p2, b.dev.Addr(), p1, width, rows)
			c.Copy2D(gpu.OpCopyD2H, b.dst.Addr(), p3, half, p2, width, rows)
		})
		if i := firstDifference(bytes(b.dst), want); i >= 0 {
			t.Fatalf("byte %d is %#x, want %#x", i, bytes(b.dst)[i], want[i])
		}
	}
	r.property(check)
}

// testFill fills pieces of a buffer.
func testFill(r *rig) {
	b := r.trio(arena)
	r.property(func(t *rapid.T) {
		n := rapid.IntRange(0, arena).Draw(t, "bytes")
		at := rapid.IntRange(0, arena-n).Draw(t, "at")
		value := rapid.Byte().Draw(t, "value")
		want := make([]byte, arena)
		fill(want, 0x33)
		fill(want[at:at+n], value)
		r.do(func(c *gpu.Commands) {
			c.Fill(b.dev.Addr(), 0x33, arena)
			c.Fill(b.dev.Addr()+gpu.Addr(at), value, n)
			c.Copy(gpu.OpCopyD2H, b.dst.Addr(), b.dev.Addr(), arena)
		})
		if i := firstDifference(bytes(b.dst), want); i >= 0 {
			t.Fatalf("byte %d is %#x, want %#x", i, bytes(b.dst)[i], want[i])
		}
	})
}

func fill(p []byte, v byte) {
	for i := range p {
		p[i] = v
	}
}
