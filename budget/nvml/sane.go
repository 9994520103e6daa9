//go:build windows || linux

package nvml

import "fmt"

// mostBytes is more than any card has, 1 PiB. What is larger, and what became negative on the way, is no
// size: NVML_VALUE_NOT_AVAILABLE is all ones.
const mostBytes = 1 << 50

// sane refuses sizes that no card has, and parts that are larger than the whole.
func (m Memory) sane() (Memory, error) {
	for _, n := range []int64{m.Total, m.Free, m.Used, m.Reserved} {
		if n < 0 || n > mostBytes {
			return Memory{}, fmt.Errorf("nvmlDeviceGetMemoryInfo: a size of %d bytes is none that a card has", uint64(n))
		}
		if n > m.Total || m.Total == 0 {
			return Memory{}, fmt.Errorf("nvmlDeviceGetMemoryInfo: %d bytes of a card with %d are nonsense", n, m.Total)
		}
	}
	return m, nil
}
