// Package stopwatch measures short times. It is there for Windows: Go reads the interrupt time there, which
// moves when the system's timer ticks, and what is to be measured, such as an allocation of pinned memory, takes
// less than a tick can (wine 8, 2 cores: it moved 1,941 times in two seconds, by up to 20 ms). This reads the
// performance counter. Elsewhere it is Go's clock.
package stopwatch
