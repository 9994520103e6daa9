//go:build linux && cgo

// Package cpu is the host itself as a device: host memory is device memory (gpu.Info.Unified),
// streams are queues worked off by one goroutine each, kernels are C functions.
//
// # Concurrency
//
// All streams together use at most Options.Cores cores. A stream takes one of that many tokens
// while it computes, and a large launch is cut into bands of rows that helpers with tokens of
// their own compute beside it, as many as are free at that moment. So one busy stream uses all
// cores, and many busy streams use one each.
//
// # Memory
//
// All memory is mapped anonymously, page aligned, outside the Go heap, and costs nothing until it
// is touched. All host kinds are the same thing; each buffer remembers the one it was asked for.
//
// # Errors of running work
//
// A command that cannot be carried out stops its stream for good: later commands are skipped,
// recorded events count as done, and every wait that includes the failed command reports it, as a
// CUDA context would. Other streams go on, unless they wait for the failed one. Memory is not lost.
package cpu
