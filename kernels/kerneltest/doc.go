// Package kerneltest runs filter chains on any gpu.Device, one picture at a time, for tests and
// benchmarks: [Run] for a picture of one's own, [Cases] for a table that covers every
// filter, format, odd sizes and chains. Equal digests on two devices mean equal bytes.
//
// [NewHost] is the smallest device that can run the host kernels: it executes each command list
// within Submit, and its memory ends at guard pages, so that a kernel that strays crashes. It is
// there for the tests of package kernels, which must not depend on a real device.
package kerneltest
