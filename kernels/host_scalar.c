//go:build cgo && !windows

/* host_scalar.c: the code that CUDA threads run, pixel by pixel. Slow; tests compare it with the row
 * loops of the other builds. */
#define SCALAR_BUILD 1
#define VARIANT(name) pinring_##name##_scalar
#include "planes.cu"
#include "convert.cu"
#include "unsharp.cu"
