// Package gpu is the device contract: memory, streams, events, kernels, limits. It names no
// vendor and has no cgo. Implementations: gpu/cuda (an NVIDIA GPU), gpu/cpu (the host itself).
// One conformance suite, gpu/gputest, runs over all of them; gpu/open chooses one and says why.
// Policy is added by wrapping a Device, one concern each: [Limit], [Stats], [FailNth]. [Discrete] makes
// a Unified device one that is copied to and from.
//
// # How work reaches a device
//
// A frame's commands are recorded into a [Commands] list (plain memory, no call into the device)
// and handed over with one [Stream.Submit]. Streams are ordered queues; work of two streams may
// overlap. Completion is seen through events.
//
// # Addresses
//
// [Addr] is an address that the device's commands understand: of device memory, or of host memory.
// On the CPU device both are the same address space, and [Info].Unified is true: a host buffer is
// already device memory, so uploads and downloads need no command.
package gpu
