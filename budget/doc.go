// Package budget answers one question: how many bytes may be used now, and for how long will it
// stay so? It imports nothing of ours and has no cgo.
//
// # The parts
//
// A [Meter] reports usage, budget and headroom of one or more memory domains. A [Panel] reads
// several meters, at their own intervals, adds what we took ourselves in between, distrusts absurd
// values and does without a meter that fails. A [Guard] stands at the door of a program's frame
// loop: it admits a frame, slows it down or holds it, so that the wall is never met. Its verdict
// is the pure function [Decide]; the rest of Guard is locking, waiting and bookkeeping. [Cap] says
// how much page-locked memory a program should allow itself before it allocates any.
//
// # Domains
//
// Page-locked ("pinned") host memory may be charged to three purses, depending on operating
// system and driver: the device's own memory (LOCAL in Windows' terms), the host memory that the
// device may map (NON_LOCAL, "shared GPU memory"), and the host's RAM. The guard watches all that
// have a meter; the one that is worst off limits, and is named.
//
// # Clocks
//
// Time is a [time.Duration] since a clock's start. [Wall] is the ordinary clock; the emulated card
// (budget/wddm) has a virtual one that follows the frame index, so that what the guard does there
// is the same on every machine.
//
// # Units
//
// GB, MB, kB are powers of ten, GiB, MiB, KiB powers of two, everywhere in this package and below.
package budget
