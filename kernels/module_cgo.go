//go:build cgo && !windows

package kernels

/*
// C11, not GNU C: GCC then never contracts a*b+c. -O3 turns row loops into vector code.
#cgo CFLAGS: -std=c11 -O3 -Wall
#include "host.h"
*/
import "C"

import "unsafe"

var kernelNames = [C.NUM_KERNELS]string{
	C.KERNEL_PLANES: "planes", C.KERNEL_TO_RGB: "to_rgb", C.KERNEL_FROM_RGB: "from_rgb",
	C.KERNEL_WIDE_PLANES: "wide_planes", C.KERNEL_WIDE_TO_RGB: "wide_to_rgb", C.KERNEL_WIDE_FROM_RGB: "wide_from_rgb",
	C.KERNEL_TURN: "turn", C.KERNEL_UNSHARP: "unsharp", C.KERNEL_RESIZE: "resize",
}

// Variants lists the host builds that this processor can run, the best last.
func Variants() []Variant {
	var out []Variant
	for level, name := range [...]string{"scalar", "base", "x86-64-v3", "x86-64-v4"} {
		k := map[string]unsafe.Pointer{}
		for i, n := range kernelNames {
			if f := C.pinring_host_kernel(C.int(level), C.int(i)); f != nil {
				k[n] = f
			}
		}
		if len(k) == len(kernelNames) {
			out = append(out, Variant{Name: name, Kernels: k})
		}
	}
	return out
}
