//go:build linux && cgo

package trial

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"unsafe"

	"go.uber.org/goleak"

	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cpu"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/transfer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func openCPU(string) (gpu.Device, string, error) {
	d, err := cpu.Open(cpu.Options{Cores: 2})
	return d, "device: cpu", err
}

func small(t *testing.T) *Pictures {
	t.Helper()
	p, err := Synthetic(frame.RGB24, 33, 17, frame.Rational{Num: 30, Den: 1})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// collector keeps what arrives.
type collector struct {
	nowhere
	rows [][]byte
}

func (c *collector) Write(_ context.Context, f *frame.Frame) error {
	defer f.Release()
	var all []byte
	for p := range f.NumPlanes {
		for y := range f.Planes[p].Rows {
			all = append(all, f.Planes[p].Row(y)...)
		}
	}
	c.rows = append(c.rows, all)
	return nil
}

// TestPicturesArrive sends the pictures through each staging mode, and through memory that is copied;
// they come out as they were.
func TestPicturesArrive(t *testing.T) {
	for name, up := range map[string]transfer.Mode{"ring": {Kind: gpu.Pinned}, "churn": {Kind: gpu.Pinned, PerFrame: true}, "pageable": {Kind: gpu.Pageable, PerFrame: true}} {
		plain, _, err := openCPU("")
		if err != nil {
			t.Fatal(err)
		}
		dev := gpu.Discrete(plain)
		p, sink := small(t), &collector{}
		staging := transfer.New(dev, transfer.Params{Up: up, Down: transfer.Mode{Kind: gpu.Pinned}, InFlight: 2, Poison: true})
		src, err := newSource(p, staging, dev, 2+ahead, 50)
		if err != nil {
			t.Fatal(err)
		}
		res, err := pipeline.Run(t.Context(), pipeline.Params{Source: src, Sink: sink, Device: dev, Staging: staging, InFlight: 2})
		if err != nil || res.Delivered != 50 {
			t.Errorf("%s: %d delivered, %v", name, res.Delivered, err)
		}
		for i, got := range sink.rows {
			if !bytes.Equal(got, p.Data[i%len(p.Data)]) {
				t.Fatalf("%s: frame %d has other bytes", name, i)
			}
		}
		if copied := staging.Copied(); (copied == 0) == up.PerFrame {
			t.Errorf("%s: %d frames were copied into slots", name, copied)
		}
		if err := errors.Join(src.Close(), staging.Close(), dev.Close()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEmulatedRing: the ring stays flat on the card on which churn fails (TestStageArticle), with frames
// of the article's size, and none is copied into a slot.
func TestEmulatedRing(t *testing.T) {
	p, err := Synthetic(frame.RGB24, 1920, 1080, frame.Rational{Num: 30, Den: 1})
	if err != nil {
		t.Fatal(err)
	}
	if p.Layout.Size != 6_220_800 {
		t.Fatalf("a picture has %d bytes", p.Layout.Size)
	}
	c := config.Default()
	c.Budget.Emulate, c.Budget.Guard = "article-video", "off"
	r, err := Trial{Config: c, Pictures: p, Frames: 60, Open: openCPU}.Run(t.Context())
	if err != nil || r.Frames.Delivered != 60 || r.Frames.CopiedToSlot != 0 || len(r.Series) != 60 {
		t.Fatalf("%+v, %d samples, %v", r.Frames, len(r.Series), err)
	}
	if first, last := r.Series[10].Usage, r.Series[59].Usage; first != last {
		t.Errorf("%d bytes in use at frame 10, %d at the last", first, last)
	}
}

// TestFaults makes allocations fail in turn: whatever fails, everything comes home.
func TestFaults(t *testing.T) {
	for n := int64(1); n < 12; n++ {
		c := config.Default()
		open := func(string) (gpu.Device, string, error) {
			d, _, err := openCPU("")
			return gpu.NewFailNth(gpu.Discrete(d), gpu.Faults{AllocHost: n, Alloc: n, Lasting: true}), "", err
		}
		r, err := Trial{Config: c, Pictures: small(t), Frames: 20, Open: open}.Run(t.Context())
		if err != nil && !errors.Is(err, gpu.ErrOutOfMemory) && !errors.Is(err, transfer.ErrCap) {
			t.Errorf("call %d: %v", n, err)
		}
		if err == nil && r.Frames.Delivered != 20 {
			t.Errorf("call %d: %d delivered", n, r.Frames.Delivered)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	if _, err := (Trial{Config: config.Default(), Pictures: small(t), Frames: 20, Open: openCPU}).Run(ctx); !errors.Is(err, why) {
		t.Errorf("Run = %v", err)
	}
}

func TestSourceEnds(t *testing.T) {
	dev, _, err := openCPU("")
	if err != nil {
		t.Fatal(err)
	}
	staging := transfer.New(dev, transfer.Params{InFlight: 1})
	src, err := newSource(small(t), staging, dev, 1, 3)
	if err != nil {
		t.Fatal(err)
	}
	var kept []*frame.Frame
	for range 3 { // more than there are slots
		f, err := src.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, f)
	}
	if _, err := src.Next(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("Next after the last = %v", err)
	}
	if kept[0].Block == nil || kept[1].Block != nil || *(*byte)(unsafe.Pointer(kept[2].Planes[0].Data)) != src.pictures.Data[2][0] {
		t.Error("the first frame is not in the slot, or the others are not in own memory")
	}
	for _, f := range kept {
		f.Release()
	}
	if err := errors.Join(src.Close(), staging.Close(), dev.Close()); err != nil {
		t.Error(err)
	}
}
