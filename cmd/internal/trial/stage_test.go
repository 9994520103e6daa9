package trial

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
)

func onStage(string) (gpu.Device, string, error) { return Stage(), "device: host memory", nil }

// TestStageArticle: the emulated card plays on plain host memory as it does on the CPU device.
func TestStageArticle(t *testing.T) {
	p, err := Synthetic(frame.RGB24, 1920, 1080, frame.Rational{Num: 30, Den: 1})
	if err != nil {
		t.Fatal(err)
	}
	c := config.Default()
	c.Staging.Mode, c.Budget.Emulate, c.Budget.Guard = "churn", "article-video", "off"
	r, err := Trial{Config: c, Pictures: p, Frames: 170, Open: onStage}.Run(t.Context())
	Finish(r, err, "", 0)
	if !errors.Is(err, gpu.ErrOutOfMemory) || r.Error.Frame == nil || *r.Error.Frame != 156 {
		t.Errorf("%+v, %v", r.Error, err)
	}
}

// TestStageCopies: what goes up comes down, in rows too, and fills are where they should be.
func TestStageCopies(t *testing.T) {
	dev := Stage()
	src, err := dev.AllocHost(100, gpu.Pinned)
	if err != nil {
		t.Fatal(err)
	}
	mid, err := dev.Alloc(200)
	if err != nil {
		t.Fatal(err)
	}
	dst, err := dev.AllocHost(100, gpu.Pageable)
	if err != nil {
		t.Fatal(err)
	}
	from, to := bytesAt(src.Addr(), 100), bytesAt(dst.Addr(), 100)
	for i := range from {
		from[i] = byte(i)
	}
	s, err := dev.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	var c gpu.Commands
	c.Fill(mid.Addr(), 9, 200)
	c.Copy2D(gpu.OpCopyH2D, mid.Addr(), 20, src.Addr(), 10, 10, 10)
	c.Copy(gpu.OpCopyD2H, dst.Addr(), mid.Addr(), 100)
	if err := s.Submit(&c); err != nil {
		t.Fatal(err)
	}
	var want []byte
	for y := range 5 {
		want = append(append(want, from[10*y:10*y+10]...), bytes.Repeat([]byte{9}, 10)...)
	}
	if !bytes.Equal(to, want) {
		t.Errorf("got %v, want %v", to, want)
	}
	if err := dev.Close(); err == nil || !strings.Contains(err.Error(), "3 buffers") {
		t.Errorf("Close = %v", err)
	}
	if err := errors.Join(src.Free(), src.Free(), mid.Free(), dst.Free(), dev.Close()); err != nil {
		t.Error(err)
	}
}

// TestStageHasNoKernels: a filter is an error that says why.
func TestStageHasNoKernels(t *testing.T) {
	c := config.Default()
	c.Filter.Chain = "negate"
	p, err := Synthetic(frame.RGB24, 16, 8, frame.Rational{Num: 30, Den: 1})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Trial{Config: c, Pictures: p, Frames: 5, Open: onStage}.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "filters need a GPU here") {
		t.Errorf("Run = %v", err)
	}
}
