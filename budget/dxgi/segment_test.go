package dxgi

import (
	"math"
	"strings"
	"testing"

	"github.com/pinring/pinring/budget"
)

func TestAppendReadings(t *testing.T) {
	good := videoMemoryInfo{Budget: 7 << 30, CurrentUsage: 8 << 30}
	for name, c := range map[string]struct {
		local, nonLocal videoMemoryInfo
		want            int // readings; 0 is an error
	}{
		"both, over budget":         {good, videoMemoryInfo{Budget: 1 << 30}, 2},
		"no shared budget":          {good, videoMemoryInfo{}, 1},
		"all ones shared":           {good, videoMemoryInfo{Budget: math.MaxUint64}, 1},
		"absurd shared":             {good, videoMemoryInfo{Budget: 1 << 60}, 1},
		"absurd shared use":         {good, videoMemoryInfo{Budget: 1 << 30, CurrentUsage: math.MaxUint64}, 1},
		"no local budget":           {videoMemoryInfo{CurrentUsage: 1}, good, 0},
		"all ones local":            {videoMemoryInfo{Budget: math.MaxUint64}, good, 0},
		"local use of all ones":     {videoMemoryInfo{Budget: 1, CurrentUsage: math.MaxUint64}, good, 0},
		"neither has any at all":    {videoMemoryInfo{}, videoMemoryInfo{}, 0},
		"reservations do not count": {videoMemoryInfo{Budget: 1, AvailableForReservation: math.MaxUint64, CurrentReservation: math.MaxUint64}, good, 2},
	} {
		got, err := appendReadings(nil, &c.local, &c.nonLocal)
		if (err != nil) != (c.want == 0) || err == nil && len(got) != c.want {
			t.Errorf("%s: %d readings, %v", name, len(got), err)
			continue
		}
		if err != nil {
			if !strings.Contains(err.Error(), "DXGI LOCAL") {
				t.Errorf("%s: %q does not name the segment", name, err)
			}
			continue
		}
		for i, r := range got {
			if err := r.Check(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if r.Domain != []budget.Domain{budget.DeviceLocal, budget.DeviceShared}[i] {
				t.Errorf("%s: reading %d is of %s", name, i, r.Domain)
			}
		}
		if got[0].Usage != int64(c.local.CurrentUsage) || got[0].Budget != int64(c.local.Budget) {
			t.Errorf("%s: %+v", name, got[0])
		}
	}
}

func TestAppendReadingsDoesNotAllocate(t *testing.T) {
	info := videoMemoryInfo{Budget: 1 << 30, CurrentUsage: 1}
	buf := make([]budget.Reading, 0, 2)
	if n := testing.AllocsPerRun(100, func() { buf, _ = appendReadings(buf[:0], &info, &info) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
