package budget

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCap(t *testing.T) {
	card8 := Card{TotalBytes: 8 * GiB}
	for _, c := range []struct {
		name  string
		model DriverModel
		host  HostLimits
		card  Card
		want  int64
		why   string
	}{
		{"WDDM", ModelWDDM, HostLimits{}, card8, 256 * MiB, "WDDM"},
		{"WSL2", ModelWSL2, HostLimits{}, card8, 256 * MiB, "WSL2"},
		{"Linux", ModelLinux, HostLimits{}, card8, 2 * GiB, "Linux"},
		{"TCC", ModelTCC, HostLimits{}, card8, 2 * GiB, "TCC"},
		{"MCDM", ModelMCDM, HostLimits{}, card8, 2 * GiB, "MCDM"},
		{"unknown", ModelUnknown, HostLimits{}, card8, 256 * MiB, "not known"},
		{"a small card", ModelWDDM, HostLimits{}, Card{TotalBytes: GiB}, 128 * MiB, "card"},
		{"little RAM", ModelLinux, HostLimits{Available: GiB}, card8, 512 * MiB, "available"},
		{"a container", ModelLinux, HostLimits{Available: 64 * GiB, CgroupLeft: 200 * MiB}, card8, 100 * MiB, "control group"},
		{"a container that is full", ModelLinux, HostLimits{CgroupLeft: 1}, card8, 1, "control group"},
		{"ulimit that does not bind", ModelLinux, HostLimits{Memlock: 8 * MiB}, card8, 2 * GiB, "Linux"},
		{"ulimit that binds", ModelLinux, HostLimits{Memlock: 8 * MiB, MemlockBinds: true}, card8, 8 * MiB, "ulimit"},
	} {
		if got, why := Cap(c.model, c.host, c.card); got != c.want || !strings.Contains(why, c.why) {
			t.Errorf("%s: %d (%s), want %d (%s)", c.name, got, why, c.want, c.why)
		}
	}
}

func TestCapWarning(t *testing.T) {
	for _, c := range []struct {
		model DriverModel
		card  int64
		bytes int64
		want  bool
	}{
		{ModelWDDM, 8 * GiB, 513 * MiB, true},
		{ModelWSL2, 6 * GiB, GiB, true},
		{ModelWDDM, 8 * GB, 513 * MiB, true},
		{ModelWDDM, 8 * GiB, 512 * MiB, false},
		{ModelWDDM, 24 * GiB, GiB, false},
		{ModelLinux, 8 * GiB, GiB, false},
	} {
		if got := CapWarning(c.model, Card{TotalBytes: c.card}, c.bytes); (got != "") != c.want {
			t.Errorf("%v, card %d, %d bytes: %q", c.model, c.card, c.bytes, got)
		}
	}
}

// A cap is never more than any limit, and never nothing.
func TestCapRespectsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(1, 64*GiB))
		h := HostLimits{Available: limit.Draw(t, "available"), CgroupLeft: limit.Draw(t, "left"),
			Memlock: limit.Draw(t, "memlock"), MemlockBinds: rapid.Bool().Draw(t, "binds")}
		m := DriverModel(rapid.IntRange(0, 5).Draw(t, "model"))
		got, why := Cap(m, h, Card{TotalBytes: limit.Draw(t, "card")})
		if got <= 0 && h.Available != 0 || why == "" {
			t.Fatalf("cap %d (%s)", got, why)
		}
		for _, l := range []int64{h.Available, h.CgroupLeft} {
			if l > 0 && got > l {
				t.Fatalf("cap %d beyond the limit %d", got, l)
			}
		}
		if h.MemlockBinds && h.Memlock > 0 && got > h.Memlock {
			t.Fatalf("cap %d beyond memlock %d", got, h.Memlock)
		}
		if m.Budgeted() && got > CapBudgeted || got > CapPlain {
			t.Fatalf("cap %d beyond the model's", got)
		}
	})
}
