//go:build linux && cgo

package transfer_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
	"unsafe"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/frame/frametest"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cpu"
	"github.com/pinring/pinring/transfer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open gives the CPU device used as a card: copies are real, and made by code that is not ours to
// test here.
func open(t testing.TB) gpu.Device {
	t.Helper()
	d, err := cpu.Open(cpu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("device: %v", err)
		}
	})
	return gpu.Discrete(d)
}

func layout(t testing.TB, f frame.PixelFormat, w, h int) frame.Layout {
	t.Helper()
	l, err := frame.NewLayout(f, w, h, 32)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func closeStaging(t testing.TB, s *transfer.Staging) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Errorf("staging: %v", err)
	}
}

// blocks collects what is lent.
type blocks struct {
	mu   sync.Mutex
	list []*frame.Block
}

func (b *blocks) add(x *frame.Block) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list = append(b.list, x)
}

func (b *blocks) take() []*frame.Block {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.list
	b.list = nil
	return l
}

func (b *blocks) wait(t testing.TB, n int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		b.mu.Lock()
		have := len(b.list)
		b.mu.Unlock()
		if have == n {
			return
		}
	}
	t.Fatalf("not all of %d slots were lent", n)
}

func TestLentSlotsAreAlignedDistinctAndAllocatedOnce(t *testing.T) {
	s := transfer.New(open(t), transfer.Params{InFlight: 4})
	l := layout(t, "yuv420p", 1919, 1079)
	var b blocks
	if err := s.Lend(l, 23, b.add); err != nil {
		t.Fatal(err)
	}
	b.wait(t, 23)
	seen := map[unsafe.Pointer]bool{}
	list := b.take()
	for _, x := range list {
		if uintptr(x.Base)%4096 != 0 || x.Size < l.Size || x.Size%4096 != 0 || seen[x.Base] {
			t.Errorf("slot at %p of %d bytes: not a distinct page-aligned slot of %d bytes", x.Base, x.Size, l.Size)
		}
		seen[x.Base] = true
	}
	st, _ := s.Stats()
	if st.Allocs != 23 || st.Frees != 0 || st.Slots != 23 {
		t.Errorf("stats %+v: want 23 allocations, 23 slots, no free", st)
	}
	for _, x := range list {
		s.Return(x)
	}
	closeStaging(t, s)
	if st, _ := s.Stats(); st.Frees != 23 {
		t.Errorf("%d frees at close, want 23", st.Frees)
	}
}

// A stream that changes between two sizes must not allocate again once both have been seen.
func TestSizeChangesReuseSlots(t *testing.T) {
	s := transfer.New(open(t), transfer.Params{InFlight: 1})
	var b blocks
	var allocs int64
	for i := range 50 {
		l := layout(t, "yuv420p", 640>>(i%2), 360>>(i%2))
		if err := s.Lend(l, 6, b.add); err != nil {
			t.Fatal(err)
		}
		b.wait(t, 6)
		for _, x := range b.take() {
			s.Return(x)
		}
		if i == 1 {
			up, _ := s.Stats()
			allocs = up.Allocs
		}
	}
	if up, _ := s.Stats(); up.Allocs != allocs {
		t.Errorf("allocations went from %d to %d over 50 changes", allocs, up.Allocs)
	}
	closeStaging(t, s)
}

func TestCapRefusesAndSaysSo(t *testing.T) {
	var notes []string
	s := transfer.New(open(t), transfer.Params{InFlight: 4, MaxBytes: 1 << 20, Note: func(n string) { notes = append(notes, n) }})
	var b blocks
	if err := s.Lend(layout(t, "yuv420p", 640, 360), 20, b.add); err != nil {
		t.Fatal(err)
	}
	if n := len(b.take()); n != 0 || len(notes) != 1 {
		t.Errorf("%d slots lent above the cap, notes %q", n, notes)
	}
	slot, err := s.AcquireDownload(t.Context(), 300<<10, 0) // three fit, four were wished for
	if err != nil {
		t.Fatal(err)
	}
	slot.Release()
	if _, st := s.Stats(); st.Slots != 3 || st.PeakBytes > 1<<20 {
		t.Errorf("download %+v under a cap of 1 MiB", st)
	}
	closeStaging(t, s)
}

// A cap that holds half of the slots, beside three for the others, lends those; one that holds fewer
// lends none.
func TestHalfOfTheSlotsOrNone(t *testing.T) {
	const page = 4096
	for pages, want := range map[int64]int{23: 20, 22: 19, 13: 10, 12: 0, 3: 0} {
		var notes []string
		s := transfer.New(open(t), transfer.Params{InFlight: 4, Eager: true, MaxBytes: pages * page, Note: func(n string) { notes = append(notes, n) }})
		var b blocks
		if err := s.Lend(layout(t, "gray", 64, 64), 20, b.add); err != nil {
			t.Fatal(err)
		}
		list := b.take()
		if len(list) != want || (len(notes) == 0) != (want == 20) {
			t.Errorf("a cap of %d slots: %d of 20 lent, %q", pages, len(list), notes)
		}
		for _, x := range list {
			s.Return(x)
		}
		closeStaging(t, s)
	}
}

func TestSlotStillInUseIsReportedNotFreed(t *testing.T) {
	d, err := cpu.Open(cpu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := transfer.New(gpu.Discrete(d), transfer.Params{InFlight: 1})
	slot, err := s.AcquireDownload(t.Context(), 4096, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err == nil {
		t.Error("close with a slot in use reported nothing")
	}
	unsafe.Slice((*byte)(slot.Base), slot.Size)[0] = 1 // must still be ours: a fault here is the bug
	if err := d.Close(); err == nil {
		t.Error("the device did not miss the buffer")
	}
}

func TestAcquireEndsWithContext(t *testing.T) {
	s := transfer.New(open(t), transfer.Params{InFlight: 1})
	slot, err := s.AcquireDownload(t.Context(), 4096, 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.AcquireDownload(ctx, 4096, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("acquire under a cancelled context: %v", err)
	}
	slot.Release()
	closeStaging(t, s)
}

// Up and down again, through lent slots, shifted and bottom-up planes, and the copy ring: the
// pixels must be the same.
func TestRoundTrip(t *testing.T) {
	dev := open(t)
	rapid.Check(t, func(rt *rapid.T) {
		format := rapid.SampledFrom([]frame.PixelFormat{"yuv420p", "nv12", "rgb24", "yuv444p10le", "gray"}).Draw(rt, "format")
		w, h := rapid.IntRange(1, 70).Draw(rt, "w"), rapid.IntRange(1, 70).Draw(rt, "h")
		lent := rapid.Bool().Draw(rt, "lent")
		flip := rapid.Bool().Draw(rt, "bottom up")
		roundTrip(rt, t, dev, frame.Info{Format: format, Width: w, Height: h}, lent, flip)
	})
}

func roundTrip(rt *rapid.T, t *testing.T, dev gpu.Device, info frame.Info, lent, flip bool) {
	perFrame := transfer.Mode{PerFrame: rapid.Bool().Draw(rt, "per frame"), Kind: gpu.Pinned}
	if perFrame.PerFrame {
		lent = false
	}
	s := transfer.New(dev, transfer.Params{InFlight: 2, Poison: true, Up: perFrame, Down: perFrame})
	f, free := picture(rt, s, info, lent)
	if flip {
		for p := range f.NumPlanes {
			pl := &f.Planes[p]
			pl.Data, pl.Stride = unsafe.Add(pl.Data, (pl.Rows-1)*pl.Stride), -pl.Stride
		}
	}
	want := frametest.Sum(f)
	st, err := s.Stage(t.Context(), f)
	if err != nil {
		rt.Fatal(err)
	}
	if st.Copied() == lent || s.Copied() != map[bool]int64{true: 0, false: 1}[lent] {
		rt.Errorf("lent %v but copied %v", lent, st.Copied())
	}
	stream, _ := dev.NewStream()
	d, err := dev.Alloc(st.Bytes())
	if err != nil {
		rt.Fatal(err)
	}
	slot, err := s.AcquireDownload(t.Context(), st.Bytes(), 0)
	if err != nil {
		rt.Fatal(err)
	}
	var c gpu.Commands
	pic := st.Record(&c, d.Addr())
	s.RecordDownload(&c, slot, d.Addr(), st.Bytes())
	shape := st.Shape()
	if err := errors.Join(stream.Submit(&c), stream.Synchronize()); err != nil {
		rt.Fatal(err)
	}
	st.Done()
	out := slot.Frame(pic, d.Addr(), shape)
	if frametest.Sum(out) != want {
		rt.Error("pixels changed on the way")
	}
	out.Release()
	free()
	if err := errors.Join(stream.Close(), d.Free(), s.Close()); err != nil {
		rt.Fatal(err)
	}
}

// picture makes a picture in a slot that a decoder would have been lent, or elsewhere.
func picture(rt *rapid.T, s *transfer.Staging, info frame.Info, lent bool) (*frame.Frame, func()) {
	if !lent {
		src := &frametest.Source{Info: info, Frames: 1}
		f, err := src.Next(context.Background())
		if err != nil {
			rt.Fatal(err)
		}
		return f, func() {
			if src.Outstanding() != 0 {
				rt.Error("the frame was not released")
			}
		}
	}
	l, err := frame.NewLayout(info.Format, info.Width, info.Height, 32)
	if err != nil {
		rt.Fatal(err)
	}
	shift := rapid.IntRange(0, 3).Draw(rt, "shift") * 16 // as Theora does
	var b blocks
	l.Size += shift
	if err := s.Lend(l, 1, b.add); err != nil {
		rt.Fatal(err)
	}
	block := b.take()[0]
	f := &frame.Frame{}
	frametest.Place(f, info, unsafe.Add(block.Base, shift), l, 7)
	f.Block = block
	f.Arm(returner{s})
	return f, func() {}
}

// returner gives the frame's block back to the staging memory, as a decoder does in the end.
type returner struct{ s *transfer.Staging }

func (r returner) PutFrame(f *frame.Frame) { r.s.Return(f.Block) }

// ReleaseAfter must not hand a slot out before the event's work is done.
func TestReleaseAfterWaitsForTheEvent(t *testing.T) {
	dev := open(t)
	s := transfer.New(dev, transfer.Params{InFlight: 1})
	const n = 1 << 20
	stream, _ := dev.NewStream()
	ev, _ := dev.NewEvent(false)
	d, _ := dev.Alloc(n)
	var c gpu.Commands
	for i := range 20 {
		slot, err := s.AcquireDownload(t.Context(), n, 0)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			if done, err := ev.Done(); !done || err != nil {
				t.Fatalf("slot lent again while its event was not done (%v)", err)
			}
			b := unsafe.Slice((*byte)(slot.Base), n)
			if b[0] != byte(i) || b[n-1] != byte(i) {
				t.Fatalf("slot lent again before the copy into it had ended: %d, %d, want %d", b[0], b[n-1], i)
			}
		}
		c.Reset()
		c.Fill(d.Addr(), byte(i+1), n)
		s.RecordDownload(&c, slot, d.Addr(), n)
		c.Record(ev)
		if err := stream.Submit(&c); err != nil {
			t.Fatal(err)
		}
		slot.ReleaseAfter(ev)
	}
	closeStaging(t, s)
	if err := errors.Join(stream.Close(), ev.Close(), d.Free()); err != nil {
		t.Fatal(err)
	}
}

// Each allocation fails once; whatever had been allocated must come home.
func TestAllocationFailures(t *testing.T) {
	for n := 1; n <= 8; n++ {
		dev := gpu.NewFailNth(open(t), gpu.Faults{AllocHost: int64(n)})
		s := transfer.New(dev, transfer.Params{InFlight: 2, Note: func(string) {}})
		var b blocks
		if err := s.Lend(layout(t, "gray", 64, 64), 3, b.add); err != nil {
			t.Errorf("n=%d: lending must go on with fewer slots, got %v", n, err)
		}
		if slot, err := s.AcquireDownload(t.Context(), 4096, 0); err == nil {
			slot.Release()
		} else if !errors.Is(err, gpu.ErrOutOfMemory) {
			t.Errorf("n=%d: %v", n, err)
		}
		for _, x := range b.take() {
			s.Return(x)
		}
		closeStaging(t, s)
	}
}

// Without the ring every picture costs an allocation and a free.
func TestPerFrameAllocatesAndFreesEachTime(t *testing.T) {
	m := transfer.Mode{Kind: gpu.Pinned, PerFrame: true}
	s := transfer.New(open(t), transfer.Params{InFlight: 3, Up: m, Down: m})
	var b blocks
	if err := s.Lend(layout(t, "gray", 64, 64), 3, b.add); err != nil || len(b.take()) != 0 {
		t.Errorf("slots were lent (%v)", err)
	}
	for i := range int64(10) {
		slot, err := s.AcquireDownload(t.Context(), 5000, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, st := s.Stats(); st.Allocs != i+1 || st.Frees != i || st.PeakBytes != 5000 {
			t.Errorf("picture %d: %+v", i, st)
		}
		slot.Release()
	}
	closeStaging(t, s)
}

// Shrinking takes free slots only, and growing back gives them again.
func TestLevels(t *testing.T) {
	s := transfer.New(open(t), transfer.Params{InFlight: 6})
	info := frame.Info{Format: "gray", Width: 64, Height: 64}
	src := frametest.NewSource(t, info, 100)
	stage := func() transfer.Staged {
		f, err := src.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		st, err := s.Stage(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		return st
	}
	slots := func(want int, why string) {
		t.Helper()
		if up, _ := s.Stats(); up.Slots != want {
			t.Errorf("%s: %d slots, want %d", why, up.Slots, want)
		}
	}
	held := []transfer.Staged{stage(), stage(), stage()}
	slots(7, "at full level")
	if err := s.SetLevel(transfer.Shrunk); err != nil {
		t.Fatal(err)
	}
	slots(3, "shrunk while three are in use")
	for i := range held {
		held[i].Done()
	}
	if err := s.SetLevel(transfer.Shrunk); err != nil {
		t.Fatal(err)
	}
	slots(2, "shrunk")
	if err := s.SetLevel(transfer.Pageable); err != nil {
		t.Fatal(err)
	}
	st := stage()
	if s.Degraded() != 1 || st.Bytes() == 0 {
		t.Errorf("%d frames degraded, %d bytes staged", s.Degraded(), st.Bytes())
	}
	st.Done()
	if err := s.SetLevel(transfer.Full); err != nil {
		t.Fatal(err)
	}
	slots(7, "at full level again")
	st = stage()
	st.Done()
	if s.Degraded() != 1 {
		t.Error("a frame was degraded at full level")
	}
	closeStaging(t, s)
}

// Under a cap that holds one slot of each direction both directions get one.
func TestSmallCapIsShared(t *testing.T) {
	const slot = 1 << 20
	for _, slots := range []int64{2, 3, 6, 20} {
		s := transfer.New(open(t), transfer.Params{InFlight: 4, MaxBytes: slots * slot})
		src := frametest.NewSource(t, frame.Info{Format: "gray", Width: 1024, Height: 1024}, 1)
		f, err := src.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Prepare(f, slot, 0); err != nil {
			t.Errorf("a cap of %d slots: %v", slots, err)
		}
		up, down := s.Stats()
		if up.Slots < 1 || down.Slots < 1 || int64(up.Slots+down.Slots) > slots || slots == 20 && (up.Slots != 5 || down.Slots != 4) {
			t.Errorf("a cap of %d slots: %d up, %d down", slots, up.Slots, down.Slots)
		}
		f.Release()
		closeStaging(t, s)
	}
}
