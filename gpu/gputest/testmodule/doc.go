// Package testmodule holds the kernels that gputest runs on a device. They are of no use but to
// show what a device did. kernels.h is the one source: host.c compiles it for the processor,
// kernels.cu for a GPU; scripts/testmodule-ptx.sh makes kernels.ptx from it.
package testmodule
