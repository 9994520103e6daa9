package dxgi

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

func TestLUIDBytes(t *testing.T) {
	l, err := ParseLUID([]byte{0xe2, 0xd1, 0, 0, 0xff, 0xff, 0xff, 0xff})
	if err != nil || l != (LUID{Low: 0xd1e2, High: -1}) {
		t.Fatalf("got %+v, %v", l, err)
	}
	if s := l.String(); s != "luid_0xFFFFFFFF_0x0000D1E2" {
		t.Errorf("String is %s", s)
	}
	for _, n := range []int{0, 7, 9} {
		if _, err := ParseLUID(make([]byte, n)); err == nil {
			t.Errorf("%d bytes passed for a LUID", n)
		}
	}
}

func TestLUIDRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), 8, 8).Draw(t, "bytes")
		l, err := ParseLUID(b)
		if err != nil || !bytes.Equal(l.Bytes(), b) {
			t.Fatalf("% x became %s, % x: %v", b, l, l.Bytes(), err)
		}
		in, ok := ParseInstance(units(l.String() + "_phys_0"))
		if !ok || in.LUID != l {
			t.Fatalf("%s was read as %+v, %v", l, in, ok)
		}
	})
}

func TestWanted(t *testing.T) {
	type card struct {
		luid     LUID
		software bool
	}
	cards := []card{{LUID{Low: 1}, true}, {LUID{Low: 2}, false}, {LUID{Low: 3}, false}}
	for _, c := range []struct {
		name    string
		o       Options
		want    int // -1: none
		sayings string
	}{
		{"first hardware", Options{}, 1, "first hardware adapter, as no LUID was given"},
		{"second hardware", Options{Index: 1}, 2, "hardware adapter 1, as no LUID was given"},
		{"too few", Options{Index: 2}, -1, "hardware adapter 2, as no LUID was given"},
		{"by LUID", Options{LUID: LUID{Low: 3}.Bytes()}, 2, "by luid_0x00000000_0x00000003"},
		{"software by LUID", Options{LUID: LUID{Low: 1}.Bytes()}, 0, "by luid_0x00000000_0x00000001"},
		{"absent LUID", Options{LUID: LUID{Low: 1, High: 1}.Bytes(), Index: 1}, -1, "by luid_0x00000001_0x00000001"},
	} {
		w, err := c.o.wanted()
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if s := w.String(); s != c.sayings {
			t.Errorf("%s: says %q", c.name, s)
		}
		got := -1
		for i, a := range cards {
			if w.matches(a.luid, a.software) {
				got = i
				break
			}
		}
		if got != c.want {
			t.Errorf("%s: chose %d, want %d", c.name, got, c.want)
		}
	}
	for _, o := range []Options{{Index: -1}, {LUID: []byte{}}, {LUID: make([]byte, 16)}} {
		if _, err := o.wanted(); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}
