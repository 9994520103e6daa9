// Package probe measures what page-locked memory does to a machine: which memory it is charged to, at
// what ratio, and how late it comes back. It has no cgo and knows no program: a [Rig] brings a device,
// the meters that see its memory and a clock, and the experiments run on it.
//
// # The experiments
//
// [Rig.Sizes] allocates host memory of several sizes and kinds, one after another, reads every meter
// before, after and after the free, and watches for the return. [Rig.Churn] allocates and frees a
// buffer for each frame at a rate, as the program did whose failure the emulated card plays;
// [Rig.Room] finds the largest device allocation with and without pinned memory.
//
// # Clocks
//
// All waiting goes through the rig's clock. On the wall clock a minute is a minute. On an emulated
// card with the media clock it takes no time at all, and every figure is the same on every machine.
//
// # Doctor
//
// [Examine] looks at a [System], an injectable view of a machine, through many small checks, each with
// a deadline.
package probe
