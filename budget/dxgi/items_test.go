package dxgi

import (
	"encoding/binary"
	"errors"
	"testing"
)

// instance is one that the buffer of PdhGetFormattedCounterArray is made of.
type instance struct {
	name   string
	status uint32
	value  int64
}

const base = 0x7ff6_0000_1000 // any address

// buffer writes items and names byte by byte, as pdh.h lays them out.
func buffer(all []instance) []uint64 {
	var items, names []byte
	for _, in := range all {
		items = binary.LittleEndian.AppendUint64(items, uint64(base+24*len(all)+len(names)))
		items = binary.LittleEndian.AppendUint32(items, in.status)
		items = binary.LittleEndian.AppendUint32(items, 0xdeadbeef) // padding
		items = binary.LittleEndian.AppendUint64(items, uint64(in.value))
		for _, u := range append(units(in.name), 0) {
			names = binary.LittleEndian.AppendUint16(names, u)
		}
	}
	b := append(items, names...)
	for len(b)%8 != 0 {
		b = append(b, 0xff)
	}
	words := make([]uint64, len(b)/8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return words
}

const (
	ours   = "luid_0x00000000_0x0000D1E2_phys_0"
	ours1  = "luid_0x00000000_0x0000D1E2_phys_1"
	theirs = "luid_0x00000000_0x0000D1E3_phys_0"
)

var ourLUID = LUID{Low: 0xd1e2}

func TestSumItems(t *testing.T) {
	for name, c := range map[string]struct {
		all  []instance
		want int64 // -1: an error
	}{
		"one of three":            {[]instance{{theirs, 0, 1}, {ours, 0, 5 << 30}, {"_Total", 0, 9}}, 5 << 30},
		"linked adapters":         {[]instance{{ours, 0, 3}, {ours1, 1, 4}}, 7},
		"nothing in use":          {[]instance{{ours, 0, 0}}, 0},
		"no instance":             {nil, -1},
		"only others":             {[]instance{{theirs, 0, 1}}, -1},
		"ours is invalid":         {[]instance{{ours, pdhInvalidData, 1}}, -1},
		"another one is invalid":  {[]instance{{theirs, pdhInvalidData, 1}, {ours, 0, 2}}, 2},
		"negative":                {[]instance{{ours, 0, -1}}, -1},
		"more than 64 bits holds": {[]instance{{ours, 0, 1<<63 - 1}, {ours1, 0, 1}}, -1},
	} {
		got, err := sumItems(buffer(c.all), base, uint32(len(c.all)), ourLUID)
		if (err != nil) != (c.want < 0) || err == nil && got != c.want {
			t.Errorf("%s: got %d, %v, want %d", name, got, err, c.want)
		}
	}
}

func TestSumItemsStaysInTheBuffer(t *testing.T) {
	words := buffer([]instance{{ours, 0, 1}})
	for name, sum := range map[string]func() (int64, error){
		"more items than fit":  func() (int64, error) { return sumItems(words, base, 1<<31, ourLUID) },
		"empty buffer":         func() (int64, error) { return sumItems(nil, base, 1, ourLUID) },
		"name before":          func() (int64, error) { return sumItems(words, base+1<<20, 1, ourLUID) },
		"name behind":          func() (int64, error) { return sumItems(words, base-1<<20, 1, ourLUID) },
		"name at an odd place": func() (int64, error) { return sumItems(words, base+1, 1, ourLUID) },
		"name without an end":  func() (int64, error) { return sumItems(words[:len(words)-1], base, 1, ourLUID) },
	} {
		if _, err := sum(); !errors.Is(err, errItems) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSumItemsDoesNotAllocate(t *testing.T) {
	words := buffer([]instance{{theirs, 0, 1}, {ours, 0, 2}})
	if n := testing.AllocsPerRun(100, func() { _, _ = sumItems(words, base, 2, ourLUID) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestFailed(t *testing.T) {
	for _, code := range []uint32{0, 1, 0x7fffffff} {
		if err := failed("Call", code); err != nil {
			t.Errorf("%#x: %v", code, err)
		}
	}
	for code, want := range map[uint32]string{
		0x80070057:   "Call failed with 0x80070057",
		dxgiNotFound: "Call failed with 0x887A0002 (DXGI_ERROR_NOT_FOUND)",
	} {
		if err := failed("Call", code); err == nil || err.Error() != want {
			t.Errorf("%#x: %v", code, err)
		}
	}
}
