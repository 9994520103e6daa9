package dxgi

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
)

func units(s string) []uint16 { return utf16.Encode([]rune(s)) }

func TestParseInstance(t *testing.T) {
	for name, want := range map[string]Instance{
		"luid_0x00000000_0x0000D1E2_phys_0":  {LUID: LUID{Low: 0xd1e2}},
		"luid_0x00000000_0x0000d1e2_phys_0":  {LUID: LUID{Low: 0xd1e2}},
		"LUID_0X00000001_0XFFFFFFFF_PHYS_12": {LUID: LUID{Low: 0xffffffff, High: 1}, Phys: 12},
		"luid_0xFFFFFFFF_0x0000C2F3_phys_1":  {LUID: LUID{Low: 0xc2f3, High: -1}, Phys: 1},
		"luid_0x0_0x0000C2F3_phys_0":         {LUID: LUID{Low: 0xc2f3}},
	} {
		got, ok := ParseInstance(units(name))
		if !ok || got != want {
			t.Errorf("%s: got %+v, %v, want %+v", name, got, ok, want)
		}
	}
}

func TestParseInstanceRefuses(t *testing.T) {
	for _, name := range []string{
		"", "luid", "luid_0x", "_Total",
		"luid_0x00000000_0x0000D1E2",
		"luid_0x00000000_0x0000D1E2_phys_",
		"luid_0x00000000_0x0000D1E2_phys_a",
		"luid_0x00000000_0x0000D1E2_phys_0_part_0",
		"luid_0x00000000_0x0000D1E2_phys_0#1",
		"luid_0x00000000_0x0000D1E2_phys_0\x00",
		"luid_0x00000000_0x0000D1E2_phys_4294967296",
		"luid_0x100000000_0x0000D1E2_phys_0",
		"luid_0x_0x0000D1E2_phys_0",
		"luid_0x00000000_0x0000G1E2_phys_0",
		"luid_0x-0000001_0x0000D1E2_phys_0",
		"pid_1234_luid_0x00000000_0x0000D1E2_phys_0",
		"luid_0x00000000_0x0000D1E2_ph\u00ffs_0",
	} {
		if got, ok := ParseInstance(units(name)); ok {
			t.Errorf("%q was read as %+v", name, got)
		}
	}
}

func TestParseInstanceDoesNotAllocate(t *testing.T) {
	name := units("luid_0x00000000_0x0000D1E2_phys_0")
	if n := testing.AllocsPerRun(100, func() { ParseInstance(name) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzParseInstance holds what is read against the standard library: written again in the form of
// Windows it is the same instance, and the name is made of nothing but that form's characters.
func FuzzParseInstance(f *testing.F) {
	for _, s := range []string{"luid_0x00000000_0x0000D1E2_phys_0", "LUID_0Xffffffff_0X1_PHYS_007", "pid_1_luid_0x0_0x0_phys_0", "luid_0x0_0x0_phys_"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got, ok := ParseInstance(units(name))
		var high, low, phys uint32
		n, err := fmt.Sscanf(strings.ToLower(name), "luid_0x%x_0x%x_phys_%d", &high, &low, &phys)
		if !ok {
			return
		}
		if err != nil || n != 3 {
			t.Fatalf("%q was read as %+v, and by fmt not at all: %v", name, got, err)
		}
		if want := (Instance{LUID{low, int32(high)}, phys}); got != want {
			t.Fatalf("%q was read as %+v, by fmt as %+v", name, got, want)
		}
		again, ok := ParseInstance(units(fmt.Sprintf("%s_phys_%d", got.LUID, got.Phys)))
		if !ok || again != got {
			t.Fatalf("%q: %+v became %+v, %v", name, got, again, ok)
		}
	})
}
