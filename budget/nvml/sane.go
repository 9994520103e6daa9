//go:build windows || linux

package nvml

import "fmt"

// mostBytes is more than any card has, 1 PiB. What is larger, and what became negative on the way, is no
// size: libraries have been seen to answer with all ones.
const mostBytes = 1 << 50

// sane refuses sizes that no card has.
func (m Memory) sane() (Memory, error) {
	for _, n := range []int64{m.Total, m.Free, m.Used, m.Reserved} {
		if n < 0 || n > mostBytes {
			return Memory{}, fmt.Errorf("nvmlDeviceGetMemoryInfo: a size of %d bytes is none that a card has", uint64(n))
		}
	}
	return m, nil
}
