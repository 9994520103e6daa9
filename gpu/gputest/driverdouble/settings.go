package driverdouble

import (
	"fmt"
	"strings"
	"time"
)

// Settings is what the double plays. The zero value is a card of 1 GiB that charges nothing for
// pinned memory. Sizes are bytes.
type Settings struct {
	Total   int64 // of the card; 0 is 1 GiB
	Others  int64 // used by other processes
	Context int64 // used by the context of this one
	Budget  int64 // at which allocations begin to fail, all that is in use counted; 0 is Total
	// ChargeSmall and ChargeLarge are the charge for 1000 pinned bytes: up to 512 MiB, and from
	// 1 GiB (0: the same), with a straight line between them. Charges are rounded up.
	ChargeSmall, ChargeLarge int
	// Kinds are the kinds of host memory that are charged, as gpu.HostKind spells them; nil is all
	// page-locked ones.
	Kinds []string
	// Reclaim is how long a charge stays after the memory was freed, to the millisecond.
	Reclaim time.Duration
	// Fail makes calls fail: "cuMemHostAlloc:3:1" is the third with result 1; without a result it
	// is 2, out of memory.
	Fail []string
	// Arrive is how long a context takes to make, to the millisecond.
	Arrive time.Duration
	// LUID is what cuDeviceGetLuid answers; nil is "not supported".
	LUID []byte
	// NoDevice leaves a driver without a card.
	NoDevice bool
	// TCC is a card that Windows does not manage.
	TCC bool
}

// Env is the settings as a line of a process's environment.
func (s Settings) Env() string { return "CUDA_DOUBLE=" + s.String() }

// String is the settings as the value of the variable CUDA_DOUBLE.
func (s Settings) String() string {
	var parts []string
	add := func(key string, value any, is bool) {
		if is {
			parts = append(parts, fmt.Sprintf("%s=%v", key, value))
		}
	}
	add("total", s.Total, s.Total != 0)
	add("others", s.Others, s.Others != 0)
	add("context", s.Context, s.Context != 0)
	add("budget", s.Budget, s.Budget != 0)
	add("small", s.ChargeSmall, s.ChargeSmall != 0)
	add("large", s.ChargeLarge, s.ChargeLarge != 0)
	add("kinds", strings.Join(s.Kinds, "+"), len(s.Kinds) > 0)
	add("reclaim", s.Reclaim.Milliseconds(), s.Reclaim != 0)
	add("fail", strings.Join(s.Fail, "+"), len(s.Fail) > 0)
	add("arrive", s.Arrive.Milliseconds(), s.Arrive != 0)
	add("luid", fmt.Sprintf("%x", s.LUID), len(s.LUID) > 0)
	add("devices", 0, s.NoDevice)
	add("tcc", 1, s.TCC)
	return strings.Join(parts, ",")
}

// Charge is what the double charges for host memory of a kind that it charges.
func (s Settings) Charge(bytes int64) int64 {
	const from, to = 512 << 20, 1 << 30
	small, large := float64(s.ChargeSmall), float64(s.ChargeLarge)
	if large == 0 {
		large = small
	}
	t := min(max(float64(bytes-from)/float64(to-from), 0), 1)
	f := float64(bytes) * (small + t*(large-small)) / 1000
	n := int64(f)
	if f-float64(n) > 1e-6 {
		n++
	}
	return n
}
