//go:build cuda && linux

package cuda

// #include "driver.h"
import "C"

import (
	"unsafe"

	"gorgonia.org/cu"

	"github.com/pinring/pinring/gpu"
)

// None of this compiles unless the C mirror of gpu.Command is the same memory: the index of a
// one-element array must be 0.
var (
	goCmd gpu.Command
	cCmd  C.pinring_command

	_ = [1]struct{}{}[unsafe.Sizeof(goCmd)-unsafe.Sizeof(cCmd)]
	_ = [1]struct{}{}[unsafe.Offsetof(goCmd.Op)-unsafe.Offsetof(cCmd.op)]
	_ = [1]struct{}{}[unsafe.Offsetof(goCmd.FirstArg)-unsafe.Offsetof(cCmd.first_arg)]
	_ = [1]struct{}{}[unsafe.Offsetof(goCmd.NumArgs)-unsafe.Offsetof(cCmd.num_args)]
	_ = [1]struct{}{}[unsafe.Offsetof(goCmd.Value)-unsafe.Offsetof(cCmd.value)]
	_ = [1]struct{}{}[unsafe.Offsetof(goCmd.Dst)-unsafe.Offsetof(cCmd.dst)]
	_ = [1]struct{}{}[unsafe.Offsetof(goCmd.Src)-unsafe.Offsetof(cCmd.src)]
	_ = [1]struct{}{}[unsafe.Offsetof(goCmd.Width)-unsafe.Offsetof(cCmd.width)]
	_ = [1]struct{}{}[unsafe.Offsetof(goCmd.Rows)-unsafe.Offsetof(cCmd.rows)]
	_ = [1]struct{}{}[unsafe.Offsetof(goCmd.DstPitch)-unsafe.Offsetof(cCmd.dst_pitch)]
	_ = [1]struct{}{}[unsafe.Offsetof(goCmd.SrcPitch)-unsafe.Offsetof(cCmd.src_pitch)]
	_ = [1]struct{}{}[unsafe.Offsetof(goCmd.Handle)-unsafe.Offsetof(cCmd.handle)]

	_ = [1]struct{}{}[gpu.OpCopyH2D-C.PINRING_COPY_H2D]
	_ = [1]struct{}{}[gpu.OpCopyD2H-C.PINRING_COPY_D2H]
	_ = [1]struct{}{}[gpu.OpCopyD2D-C.PINRING_COPY_D2D]
	_ = [1]struct{}{}[gpu.OpFill-C.PINRING_FILL]
	_ = [1]struct{}{}[gpu.OpLaunch-C.PINRING_LAUNCH]
	_ = [1]struct{}{}[gpu.OpWait-C.PINRING_WAIT]
	_ = [1]struct{}{}[gpu.OpRecord-C.PINRING_RECORD]

	_ = [1]struct{}{}[gpu.MaxArgs-C.PINRING_MAX_ARGS]
	_ = [1]struct{}{}[gpu.BlockCols-C.PINRING_BLOCK_COLS]
	_ = [1]struct{}{}[gpu.BlockRows-C.PINRING_BLOCK_ROWS]

	// gorgonia.org/cu wraps each handle of the driver in a struct without showing it.
	_ = [1]struct{}{}[unsafe.Sizeof(cu.CUContext{})-unsafe.Sizeof(uintptr(0))]
	_ = [1]struct{}{}[unsafe.Sizeof(cu.Stream{})-unsafe.Sizeof(uintptr(0))]
	_ = [1]struct{}{}[unsafe.Sizeof(cu.Event{})-unsafe.Sizeof(uintptr(0))]
	_ = [1]struct{}{}[unsafe.Sizeof(cu.Function{})-unsafe.Sizeof(uintptr(0))]
)

// wrapped are the types of gorgonia.org/cu that hold one handle.
type wrapped interface {
	cu.CUContext | cu.Stream | cu.Event | cu.Function
}

// unwrap takes the driver's handle out of its wrapper.
func unwrap[T wrapped](w T) uintptr { return *(*uintptr)(unsafe.Pointer(&w)) }

// wrap puts a handle of the driver's into a wrapper.
func wrap[T wrapped](handle uintptr) T { return *(*T)(unsafe.Pointer(&handle)) }
