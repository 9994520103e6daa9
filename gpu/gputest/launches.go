package gputest

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/pinring/pinring/gpu"
)

// shapes are sizes that grids and bands get wrong: one item, one row, one column, just beside
// whole blocks, large enough to be cut.
var shapes = [][2]int{{1, 1}, {1, 16384}, {16384, 1}, {31, 7}, {32, 8}, {33, 9}, {257, 65}, {1919, 1079}}

func testLaunchShapes(r *rig) {
	for _, s := range shapes {
		if err := r.affine(s[0], s[1], 0, 0); err != "" {
			r.t.Errorf("%d × %d items: %s", s[0], s[1], err)
		}
	}
	r.property(func(t *rapid.T) {
		cols := rapid.IntRange(1, 500).Draw(t, "cols")
		rows := rapid.IntRange(1, 300).Draw(t, "rows")
		if err := r.affine(cols, rows, rapid.IntRange(0, 40).Draw(t, "source padding"), rapid.IntRange(0, 40).Draw(t, "padding")); err != "" {
			t.Fatal(err)
		}
	})
}

// affine runs the kernel and compares with the same in Go; padding bytes must keep their value.
func (r *rig) affine(cols, rows, srcPad, dstPad int) string {
	srcPitch, dstPitch := cols+srcPad, cols+dstPad
	src, dst := r.temporary(srcPitch*rows), r.temporary(dstPitch*rows)
	defer src.free(r)
	defer dst.free(r)
	noise(bytes(src.host), uint64(cols))
	fill(bytes(dst.host), 0xEE)
	want := slices.Clone(bytes(dst.host))
	for y := range rows {
		for x := range cols {
			want[y*dstPitch+x] = bytes(src.host)[y*srcPitch+x]*5 + 11
		}
	}
	k := r.kernel("affine")
	r.do(func(c *gpu.Commands) {
		src.up(c)
		dst.up(c)
		c.Launch(k, cols, rows, uint64(dst.dev.Addr()), uint64(dstPitch), uint64(src.dev.Addr()), uint64(srcPitch),
			uint64(cols), uint64(rows), 5, 11)
		dst.down(c)
	})
	if i := firstDifference(bytes(dst.host), want); i >= 0 {
		return sprintf("byte %d (column %d, row %d) is %d, want %d", i, i%dstPitch, i/dstPitch, bytes(dst.host)[i], want[i])
	}
	return ""
}

// testLaunchEachItemOnce adds to what is there, so that no item may be left out or done twice.
func testLaunchEachItemOnce(r *rig) {
	k := r.kernel("tally")
	for _, s := range shapes {
		cols, rows := s[0], s[1]
		b := r.temporary(cols * rows * 4)
		r.do(func(c *gpu.Commands) {
			c.Fill(b.dev.Addr(), 0, cols*rows*4)
			c.Launch(k, cols, rows, uint64(b.dev.Addr()), uint64(cols*4), 0, 0, uint64(cols), uint64(rows))
			b.down(c)
		})
		for i, v := range words(b.host) {
			if v != uint32(i+1) {
				r.t.Errorf("%d × %d items: item %d has %d, want %d", cols, rows, i, v, i+1)
				break
			}
		}
		b.free(r)
	}
}

// testLaunchCells: all argument cells arrive, and those left out are 0, whatever was there before.
func testLaunchCells(r *rig) {
	b := r.temporary(gpu.MaxArgs * 8)
	defer b.free(r)
	k := r.kernel("cells")
	for _, n := range []int{gpu.MaxArgs, 6, gpu.MaxArgs, 7} {
		args := make([]uint64, n)
		for i := range args {
			args[i] = 0x0123456789abcdef * uint64(i+1)
		}
		args[0], args[4], args[5] = uint64(b.dev.Addr()), 1, 1
		r.do(func(c *gpu.Commands) {
			c.Launch(k, 1, 1, args...)
			b.down(c)
		})
		got := words(b.host)
		for i := range gpu.MaxArgs {
			var want uint64
			if i < n {
				want = args[i]
			}
			if v := uint64(got[2*i]) | uint64(got[2*i+1])<<32; v != want {
				r.t.Errorf("%d arguments: cell %d is %#x, want %#x", n, i, v, want)
			}
		}
	}
}

func testUnknownKernel(r *rig) {
	if k, err := r.program.Kernel("no_such_kernel"); err == nil {
		r.t.Errorf("Kernel found %+v", k)
	} else if !contains(err, "no_such_kernel") {
		r.t.Errorf("%v does not name the kernel", err)
	}
}

// pair is a piece of memory on the host and on the device.
type pair struct {
	host gpu.HostBuffer
	dev  gpu.Buffer
}

// temporary makes a pair that the caller frees.
func (r *rig) temporary(bytes int) pair {
	r.t.Helper()
	h, err := r.dev.AllocHost(bytes, gpu.Pinned)
	r.ok("pinned memory", err)
	d, err := r.dev.Alloc(bytes)
	r.ok("device memory", err)
	return pair{h, d}
}

func (p pair) up(c *gpu.Commands) {
	c.Copy(gpu.OpCopyH2D, p.dev.Addr(), p.host.Addr(), p.host.Bytes())
}

func (p pair) down(c *gpu.Commands) {
	c.Copy(gpu.OpCopyD2H, p.host.Addr(), p.dev.Addr(), p.host.Bytes())
}

func (p pair) free(r *rig) {
	r.t.Helper()
	r.ok("free", p.host.Free())
	r.ok("free", p.dev.Free())
}
