// Package bench measures a machine: how fast memory is copied up and down, what allocating costs, what
// share of a bare copy loop the ring's path reaches, and what the kernels do. Each measurement takes a
// device and about a second, frees what it made, and stops when its context ends.
//
// Figures are medians of several rounds. Where two ways are compared they take turns, so that what
// disturbs a machine disturbs both.
package bench
