//go:build cuda && linux

// Package cuda is an NVIDIA GPU as a device. It is built with the tag cuda and the flags that
// scripts/cuda-env.sh prints, which need no CUDA toolkit; the driver's library is opened by
// [Open], and its absence is an ordinary error.
//
// Devices, contexts, modules, functions, streams, events and device memory go through
// gorgonia.org/cu. What that lacks goes through driver.c: page-locked memory of all kinds, 2D
// copies, and the hot path: a whole list of commands crosses into C once.
//
// # Threads
//
// A CUDA call works on the context that is current on its thread, and goroutines move between
// threads. So every call of driver.c sets the context itself, and calls through gorgonia.org/cu
// are made on a thread that is locked for their duration (see Device.do). The context stays
// current on threads that have been used. Nothing on the hot path locks a thread: handing work
// between goroutines that are locked costs tens of microseconds.
//
// # Memory
//
// A buffer is freed the way it was made. After an error that poisons the context nothing is freed:
// the driver would refuse, and a copy engine may still be at work on the memory.
//
// # The primary context
//
// [Open] shares the device's primary context with everybody in the process. Before it retains an
// inactive one it sets the flags to blocking sync and nothing else, which FFmpeg demands of a
// context that it is to share. It never resets it. [Wrap] takes any other context.
package cuda
