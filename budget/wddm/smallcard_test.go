package wddm_test

import (
	"errors"
	"testing"

	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/gpu"
)

const (
	mib     = int64(1) << 20
	granule = 2 * mib
)

// smallCard is a driver: finite memory in granules, of which it reports a tail as free that it does
// not give. The n-th call of a kind can be made to fail.
type smallCard struct {
	fakeDevice
	info              gpu.Info
	total, used, tail int64
	largest           int64 // one allocation at most; 0 is any
	allocs, frees     int
	failAlloc         int
	failFree          int
	failInfo, infos   int
	most              int64 // most that was in use
}

var errCard = errors.New("the driver fails")

func newSmallCard(total int64) *smallCard {
	return &smallCard{total: total, used: 600 * mib, info: gpu.Info{Kind: gpu.CUDA, Name: "test card", UUID: "GPU-1"}}
}

func (d *smallCard) Info() gpu.Info { return d.info }

func (d *smallCard) MemInfo() (gpu.MemInfo, error) {
	if d.infos++; d.infos == d.failInfo {
		return gpu.MemInfo{}, errCard
	}
	return gpu.MemInfo{Free: d.total - d.used, Total: d.total}, nil
}

func (d *smallCard) Alloc(n int) (gpu.Buffer, error) {
	if d.allocs++; d.allocs == d.failAlloc {
		return nil, errCard
	}
	bytes := (int64(n) + granule - 1) / granule * granule
	if bytes > d.total-d.used-d.tail || d.largest > 0 && bytes > d.largest {
		return nil, &gpu.OutOfMemoryError{Call: "cuMemAlloc", Code: 2, Requested: int64(n)}
	}
	d.used += bytes
	d.most = max(d.most, d.used)
	return &smallBuffer{fakeBuffer: fakeBuffer{device: &d.fakeDevice, bytes: n}, card: d, takes: bytes}, nil
}

type smallBuffer struct {
	fakeBuffer
	card  *smallCard
	takes int64
	freed bool
}

func (b *smallBuffer) Free() error {
	if b.freed {
		return nil
	}
	if b.card.frees++; b.card.frees == b.card.failFree {
		return errCard
	}
	b.freed = true
	b.card.used -= b.takes
	return nil
}

// options are for a test of its own: a runtime folder, and nobody else on the card.
func options(t testing.TB) wddm.BallastOptions {
	return wddm.BallastOptions{Dir: t.TempDir(), OthersBytes: func() (int64, bool, error) { return 0, true, nil }, Note: func(s string) { t.Log(s) }}
}

// emulate fills the card.
func emulate(t testing.TB, dev gpu.Device, spec string, o wddm.BallastOptions) (*wddm.Card, *wddm.Ballast) {
	t.Helper()
	b, err := wddm.NewBallast(dev, o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := wddm.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	c, err := wddm.Emulate(dev, p, wddm.Options{Backend: b})
	if err != nil {
		t.Fatal(err)
	}
	return c, b
}
