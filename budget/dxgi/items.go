package dxgi

import (
	"errors"
	"fmt"
	"unsafe"
)

// item is PDH_FMT_COUNTERVALUE_ITEM_W of pdh.h on 64-bit Windows, with the union as largeValue.
type item struct {
	Name   uint64 // address of a UTF-16 string with a final NUL, in the same buffer
	Status uint32 // CStatus
	_      uint32
	Large  int64
}

var (
	_ [24]byte = [unsafe.Sizeof(item{})]byte{}
	_ [16]byte = [unsafe.Offsetof(item{}.Large)]byte{}
)

var errItems = errors.New("PdhGetFormattedCounterArray gave items that do not lie in the buffer")

// sumItems adds up the values of all instances of the adapter. The buffer holds count items, then
// their names; base is its address. It does not allocate.
func sumItems(words []uint64, base uint64, count uint32, l LUID) (int64, error) {
	size := uint64(len(words)) * 8
	if uint64(count)*uint64(unsafe.Sizeof(item{})) > size {
		return 0, errItems
	}
	items := unsafe.Slice((*item)(unsafe.Pointer(unsafe.SliceData(words))), count)
	units := unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(words))), size/2)
	var sum int64
	found := false
	for i := range items {
		it := &items[i]
		name, ok := nameAt(units, it.Name-base)
		if !ok {
			return 0, errItems
		}
		in, ok := ParseInstance(name)
		if !ok || in.LUID != l {
			continue
		}
		// PDH_CSTATUS_VALID_DATA and PDH_CSTATUS_NEW_DATA.
		if it.Status > pdhStatusNewData {
			return 0, &CallError{Call: "reading the instance of " + l.String(), Code: it.Status}
		}
		if it.Large < 0 || sum+it.Large < sum {
			return 0, fmt.Errorf("%s has %d bytes in use, which cannot be", l, it.Large)
		}
		sum += it.Large
		found = true
	}
	if !found {
		return 0, fmt.Errorf("%w among %d instances: %s", ErrNoAdapter, count, l)
	}
	return sum, nil
}

// nameAt is the string that begins at a byte offset, without its NUL.
func nameAt(units []uint16, offset uint64) ([]uint16, bool) {
	if offset%2 != 0 || offset/2 >= uint64(len(units)) {
		return nil, false
	}
	rest := units[offset/2:]
	for i, c := range rest {
		if c == 0 {
			return rest[:i], true
		}
	}
	return nil, false
}
