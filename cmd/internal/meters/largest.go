package meters

import (
	"errors"

	"github.com/pinring/pinring/gpu"
)

// granule is how exactly the largest allocation is found: drivers give device memory in such pieces.
const granule = 2 << 20

// LargestAlloc finds the largest device allocation that is possible now, by trying. It returns 0
// when not even a granule is.
func LargestAlloc(dev gpu.Device) (int64, error) {
	m, err := dev.MemInfo()
	if err != nil {
		return 0, err
	}
	lo, hi := int64(0), m.Free/granule+1 // lo fits, hi is not tried yet or does not
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		fits, err := canAlloc(dev, mid*granule)
		switch {
		case err != nil:
			return 0, err
		case fits:
			lo = mid
		default:
			hi = mid
		}
	}
	return lo * granule, nil
}

func canAlloc(dev gpu.Device, bytes int64) (bool, error) {
	b, err := dev.Alloc(int(bytes))
	if errors.Is(err, gpu.ErrOutOfMemory) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, b.Free()
}
