//go:build windows || linux

// Package nvcuda is an NVIDIA GPU as a device, in pure Go: the driver's library (nvcuda.dll from
// System32, libcuda.so.1 on Linux) is opened by [Open], and its absence is an ordinary error. It is
// the device of Windows, where it needs no C compiler and no toolkit. On Linux, package gpu/cuda is
// the quicker way to the same driver; this one is tested there, and is the GPU of programs that are
// built without cgo.
//
// # Calls
//
// A call goes through syscall.SyscallN on Windows and purego on Linux. Each command of a list is a
// call of its own: gpu/cuda crosses into C once a list, here that would need C. A frame's list has
// about six commands.
//
// # Threads
//
// A CUDA call works on the context that is current on its thread, and goroutines move between
// threads. So the context is set, and the call made, on a thread that is locked for as long as that
// takes (see Device.call and stream.Submit). Nothing is handed between locked goroutines.
//
// # Memory
//
// A buffer is freed the way it was made. After an error that poisons the context nothing is freed:
// the driver would refuse, and a copy engine may still be at work on the memory.
//
// # The primary context
//
// [Open] shares the device's primary context with everybody in the process. Before it retains an
// inactive one it sets the flags to blocking sync and nothing else. It never resets it. [Wrap] takes
// any other context.
package nvcuda
