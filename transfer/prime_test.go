//go:build linux && cgo

package transfer_test

import (
	"testing"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/frame/frametest"
	"github.com/pinring/pinring/transfer"
)

// What was primed is what Prepare takes: no slot is allocated twice. A cap that holds less is no
// failure.
func TestPrime(t *testing.T) {
	const slot = 64 * 64
	for _, limit := range []int64{0, 2 * slot} {
		s := transfer.New(open(t), transfer.Params{InFlight: 4, MaxBytes: limit})
		if err := s.Prime(slot, 4); err != nil {
			t.Fatal(err)
		}
		_, before := s.Stats()
		if want := map[int64]int64{0: 4, 2 * slot: 2}[limit]; before.Allocs != want || before.Slots != 0 {
			t.Errorf("cap %d: %d allocations, %d slots in use", limit, before.Allocs, before.Slots)
		}
		f, err := frametest.NewSource(t, frame.Info{Format: "gray", Width: 64, Height: 64}, 1).Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Prepare(f, slot, 0); err != nil {
			t.Error(err)
		}
		if up, down := s.Stats(); limit == 0 && up.Allocs+down.Allocs != int64(up.Slots+down.Slots) {
			t.Errorf("%d and %d allocations for %d and %d slots", up.Allocs, down.Allocs, up.Slots, down.Slots)
		}
		f.Release()
		closeStaging(t, s)
	}
}
