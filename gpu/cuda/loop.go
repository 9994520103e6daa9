//go:build cuda && linux

package cuda

/*
#include "driver.h"

#cgo nocallback pinring_loop
*/
import "C"

import (
	"fmt"
	"time"
	"unsafe"

	"github.com/pinring/pinring/gpu"
)

// Loop submits lists again and again without coming back to Go, n times in all: the i-th time the list
// i modulo len(streams) to the stream of that place, after waiting for that list's work of the round
// before. lists holds the lists one behind another, each of each commands. It returns how long the n
// took, from the first submission until everything was done. It is for measuring what the same work
// takes with nothing around it; errors of the work itself are those of Submit.
func (d *Device) Loop(streams []gpu.Stream, lists *gpu.Commands, each, n int) (time.Duration, error) {
	if err := d.usable(); err != nil {
		return 0, err
	}
	if len(streams) == 0 || each < 1 || n < 1 || len(lists.List) != each*len(streams) {
		return 0, fmt.Errorf("cuda device: Loop over %d streams with %d commands, %d each, %d times", len(streams), len(lists.List), each, n)
	}
	for i := range lists.List {
		if err := lists.Validate(i, d.info.Limits.MaxGridRows); err != nil {
			return 0, fmt.Errorf("cuda device: command %d: %w", i, err)
		}
	}
	handles := make([]C.uintptr_t, len(streams))
	for i, s := range streams {
		own, ok := s.(*stream)
		if !ok || own.closed.Load() {
			return 0, fmt.Errorf("cuda device: Loop over stream %d, which is none of this device's", i)
		}
		handles[i] = own.handle
	}
	r := C.pinring_loop(d.ctx, &handles[0], C.uint32_t(len(handles)), (*C.pinring_command)(unsafe.Pointer(&lists.List[0])),
		C.uint32_t(each), (*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(lists.Args))), C.uint64_t(n))
	if err := d.fail("loop", int(r.code)); err != nil {
		return 0, err
	}
	return time.Duration(float64(r.seconds) * float64(time.Second)), nil
}
