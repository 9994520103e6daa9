//go:build linux && cgo

package transfer_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/frame/frametest"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/transfer"
)

func closeArena(t testing.TB, a *transfer.Arena) {
	t.Helper()
	if err := a.Close(); err != nil {
		t.Errorf("arena: %v", err)
	}
	if s := a.Stats(); s.Bytes != 0 || s.Allocs != s.Frees || s.Slots != 0 || s.UsedBytes != 0 {
		t.Errorf("the closed arena is not empty: %+v", s)
	}
}

// generation plays a stream that comes to pictures of w × h: the decoder asks for slots, one picture
// is copied, one result comes down. It returns the lent slots, which the decoder still refers to.
func generation(t testing.TB, s *transfer.Staging, w, h, lent int) []*frame.Block {
	t.Helper()
	var b blocks
	if lent > 0 {
		if err := s.Lend(layout(t, "gray", w, h), lent, b.add); err != nil {
			t.Fatal(err)
		}
		b.wait(t, lent)
	}
	f, err := frametest.NewSource(t, frame.Info{Format: "gray", Width: w, Height: h}, 1).Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Prepare(f, 2*w*h, 1); err != nil {
		t.Fatal(err)
	}
	st, err := s.Stage(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	slot, err := s.AcquireDownload(t.Context(), 2*w*h, 1)
	if err != nil {
		t.Fatal(err)
	}
	st.Done()
	slot.Release()
	return b.take()
}

// stream runs generations one after another. A generation's slots go home after the next one's were
// asked for, as with a decoder that still refers to them.
func stream(t testing.TB, a *transfer.Arena, sizes [][2]int) int64 {
	t.Helper()
	s := transfer.New(a.Device(), transfer.Params{Arena: a, InFlight: 3, Eager: true})
	var old []*frame.Block
	largest := 0
	for _, wh := range sizes {
		lent := 0
		if wh[0]*wh[1] > largest { // a decoder asks for larger slots only
			largest, lent = wh[0]*wh[1], 8
		}
		now := generation(t, s, wh[0], wh[1], lent)
		if lent > 0 {
			for _, b := range old {
				s.Return(b)
			}
			old = now
		}
	}
	n := a.Stats().Allocs
	for _, b := range old {
		s.Return(b)
	}
	closeStaging(t, s)
	return n
}

// Once the largest pictures were seen no number of changes allocates: A,B,A,B,… fifty times takes
// exactly what A,B takes, whichever is larger, and so does the same again in another Staging.
func TestChangesBetweenSizesAllocateOnce(t *testing.T) {
	dev := open(t)
	for _, two := range [][2][2]int{{{640, 360}, {320, 180}}, {{320, 180}, {640, 360}}, {{64, 64}, {1920, 16}}} {
		once := transfer.NewArena(dev, transfer.ArenaParams{MaxBytes: 64 << 20})
		want := stream(t, once, two[:])
		closeArena(t, once)
		often := transfer.NewArena(dev, transfer.ArenaParams{MaxBytes: 64 << 20})
		sizes := slices.Repeat(two[:], 25)
		if n := stream(t, often, sizes); n != want {
			t.Errorf("%v: %d allocations after 50 changes, %d after one", two, n, want)
		}
		closeArena(t, often)
	}
}

// Sizes that grow fifty times: the number of allocations depends on how far they grow. The first
// generation takes one a slot (8 lent, 4 to copy into, 3 + 1 to come down); each later chunk makes the
// memory larger by a quarter at least, so that the rest grows as the logarithm does.
func TestGrowthTakesFewAllocations(t *testing.T) {
	dev := open(t)
	for _, last := range []float64{1.2, 2, 16} {
		var sizes [][2]int
		for i := range 50 {
			sizes = append(sizes, [2]int{int(256 * math.Pow(last, float64(i)/49)), 256})
		}
		a := transfer.NewArena(dev, transfer.ArenaParams{})
		n := stream(t, a, sizes)
		// Two generations live at once: what is needed grows by the factor last, and doubles.
		bound := 16 + 4*int64(math.Ceil(math.Log(2*last)/math.Log(1.25)))
		t.Logf("growth by %.1f in 50 steps: %d allocations, bound %d, peak %d bytes", last, n, bound, a.Stats().PeakBytes)
		if n > bound {
			t.Errorf("growth by %.1f in 50 steps took %d allocations, more than %d", last, n, bound)
		}
		closeArena(t, a)
	}
}

// A thousand files in one process, of five sizes: after the first round of sizes nothing is allocated.
func TestThousandFilesOneArena(t *testing.T) {
	sizes := [][2]int{{64, 64}, {320, 180}, {16, 16}, {176, 144}, {300, 200}}
	a := transfer.NewArena(open(t), transfer.ArenaParams{MaxBytes: 16 << 20})
	var after int64
	for i := range 1000 {
		stream(t, a, sizes[i%5:i%5+1])
		if i == 4 {
			after = a.Stats().Allocs
		}
	}
	if s := a.Stats(); s.Allocs != after || s.Slots != 0 {
		t.Errorf("%d allocations after 5 files, %+v after 1000", after, s)
	}
	closeArena(t, a)
}

// held is a slot with the byte that fills it.
type held struct {
	slot *transfer.Slot
	fill byte
}

// However slots of all sizes come and go, each is whole pages, keeps what was written into it, so
// shares no byte with another, and the cap holds.
func TestArenaSlotsDoNotOverlap(t *testing.T) {
	dev := open(t)
	rapid.Check(t, func(rt *rapid.T) {
		limit := int64(rapid.IntRange(1, 20).Draw(rt, "cap in pages")) * 4096
		a := transfer.NewArena(dev, transfer.ArenaParams{MaxBytes: limit, Seats: rapid.IntRange(1, 3).Draw(rt, "seats")})
		var users [2]*transfer.Staging
		for i := range users {
			users[i] = transfer.New(dev, transfer.Params{Arena: a, InFlight: rapid.IntRange(1, 3).Draw(rt, "in flight")})
		}
		var out []held
		for i := range rapid.IntRange(1, 40).Draw(rt, "steps") {
			if len(out) > 0 && rapid.Bool().Draw(rt, "release") {
				n := rapid.IntRange(0, len(out)-1).Draw(rt, "which")
				release(rt, out[n])
				out = slices.Delete(out, n, n+1)
				continue
			}
			s := users[rapid.IntRange(0, 1).Draw(rt, "user")]
			slot, ok := tryAcquire(rt, s, rapid.IntRange(1, 12_000).Draw(rt, "bytes"))
			if !ok {
				continue
			}
			if uintptr(slot.Base)%4096 != 0 || slot.Size%4096 != 0 {
				rt.Fatalf("a slot of %d bytes at %p", slot.Size, slot.Base)
			}
			out = append(out, held{slot, byte(i)})
			for j := range slot.Data() {
				slot.Data()[j] = byte(i)
			}
			if st := a.Stats(); st.Bytes > limit || st.PeakBytes > limit || st.UsedBytes > st.Bytes {
				rt.Fatalf("cap %d: %+v", limit, st)
			}
		}
		for _, h := range out {
			release(rt, h)
		}
		if err := errors.Join(users[0].Close(), users[1].Close(), a.Close()); err != nil {
			rt.Fatal(err)
		}
		if st := a.Stats(); st.Bytes != 0 || st.Slots != 0 {
			rt.Fatalf("closed: %+v", st)
		}
	})
}

func release(rt *rapid.T, h held) {
	for _, v := range h.slot.Data() {
		if v != h.fill {
			rt.Fatalf("a slot filled with %d holds %d", h.fill, v)
		}
	}
	h.slot.Release()
}

// tryAcquire does not wait: a ring whose slots are all out says no.
func tryAcquire(rt *rapid.T, s *transfer.Staging, bytes int) (*transfer.Slot, bool) {
	slot, err := s.AcquireDownload(ended(), bytes, 0)
	if err != nil && !errors.Is(err, transfer.ErrCap) && !errors.Is(err, errEnded) {
		rt.Fatal(err)
	}
	return slot, err == nil
}

// Whoever comes first leaves the others their parts, and they get them, in whatever order.
func TestSeatsKeepTheirParts(t *testing.T) {
	const mb = 1 << 20
	dev := open(t)
	a := transfer.NewArena(dev, transfer.ArenaParams{MaxBytes: 24 * mb, Seats: 3})
	user := func() *transfer.Staging { return transfer.New(dev, transfer.Params{Arena: a, InFlight: 100}) }
	acquire := func(s *transfer.Staging, want int) {
		t.Helper()
		slot, err := s.AcquireDownload(t.Context(), mb, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, down := s.Stats(); down.Slots != want {
			t.Errorf("%d slots of 1 MiB, want %d", down.Slots, want)
		}
		slot.Release()
	}
	first := user()
	acquire(first, 16) // 24 less two parts of 24/2/3
	second, third := user(), user()
	acquire(third, 4)
	acquire(second, 4)
	extra := user()
	if _, err := extra.AcquireDownload(t.Context(), mb, 0); !errors.Is(err, transfer.ErrCap) {
		t.Errorf("a fourth of three: %v", err)
	}
	closeStaging(t, extra)
	closeStaging(t, first)
	fourth := user()
	acquire(fourth, 16)
	if n := a.Stats().Allocs; n != 24 {
		t.Errorf("%d allocations for 24 slots", n)
	}
	for _, s := range []*transfer.Staging{second, third, fourth} {
		closeStaging(t, s)
	}
	closeArena(t, a)
}

// Many at once under a cap that does not hold all that they want: all end, nobody is refused for
// ever, and no byte is in two slots.
func TestManyStagingsAtOnce(t *testing.T) {
	const users, frames = 8, 20
	dev := open(t)
	a := transfer.NewArena(dev, transfer.ArenaParams{MaxBytes: 4 << 20, Seats: users})
	var wg sync.WaitGroup
	for u := range users {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for round := range 4 {
				s := transfer.New(dev, transfer.Params{Arena: a, InFlight: 6, Poison: true})
				if err := roundTrips(t, s, byte(u), 4096*(1+(u+round)%5), frames); err != nil {
					t.Errorf("user %d, round %d: %v", u, round, err)
				}
				closeStaging(t, s)
			}
		}()
	}
	wg.Wait()
	closeArena(t, a)
}

// roundTrips writes into slots of both directions and looks whether they stay what they are.
func roundTrips(t *testing.T, s *transfer.Staging, mark byte, bytes, n int) error {
	src := frametest.NewSource(t, frame.Info{Format: "gray", Width: 64, Height: bytes / 64}, int64(n))
	for i := range n {
		f, err := src.Next(t.Context())
		if err != nil {
			return err
		}
		want := frametest.Sum(f)
		st, err := s.Stage(t.Context(), f)
		if err != nil {
			return err
		}
		slot, err := s.AcquireDownload(t.Context(), bytes, 0)
		if err != nil {
			st.Done()
			return err
		}
		v := mark ^ byte(i)
		for j := range slot.Data() {
			slot.Data()[j] = v
		}
		got := frametest.Sum(st.View())
		for j, x := range slot.Data() {
			if x != v {
				err = fmt.Errorf("frame %d: byte %d of a slot changed", i, j)
				break
			}
		}
		if got != want {
			err = fmt.Errorf("frame %d: the staged picture changed", i)
		}
		st.Done()
		slot.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

// A slot that is out when its Staging closes is reported, stays whole, and comes home to the arena.
func TestLateSlotComesHomeToTheArena(t *testing.T) {
	dev := open(t)
	a := transfer.NewArena(dev, transfer.ArenaParams{})
	s := transfer.New(dev, transfer.Params{Arena: a, InFlight: 2})
	slot, err := s.AcquireDownload(t.Context(), 10_000, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err == nil {
		t.Error("a slot in use was not reported by the Staging")
	}
	if err := a.Close(); err == nil {
		t.Error("a slot in use was not reported by the arena")
	}
	slot.Data()[9_999] = 1 // a fault here is the bug
	slot.Release()
	closeArena(t, a)
}

// Each allocation of a run with changing sizes fails once, or from then on; all comes home.
func TestArenaAllocationFailures(t *testing.T) {
	for n := int64(1); n <= 40; n++ {
		for _, lasting := range []bool{false, true} {
			dev := gpu.NewFailNth(open(t), gpu.Faults{AllocHost: n, Lasting: lasting})
			a := transfer.NewArena(dev, transfer.ArenaParams{MaxBytes: 32 << 20})
			s := transfer.New(dev, transfer.Params{Arena: a, InFlight: 2})
			var b blocks
			for i := range 8 {
				if err := s.Lend(layout(t, "gray", 100+40*i, 100), 3, b.add); err != nil {
					t.Errorf("failure %d: lending must go on with fewer slots, got %v", n, err)
				}
				if slot, err := s.AcquireDownload(t.Context(), 10_000*(i+1), 0); err == nil {
					slot.Release()
				} else if !errors.Is(err, gpu.ErrOutOfMemory) {
					t.Errorf("failure %d: %v", n, err)
				}
				for _, x := range b.take() {
					s.Return(x)
				}
			}
			closeStaging(t, s)
			for _, x := range b.take() { // lent by the background growth meanwhile
				s.Return(x)
			}
			closeArena(t, a)
		}
	}
}
