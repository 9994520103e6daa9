//go:build cgo && !windows

/* host_scalar.c: the code that CUDA threads run, pixel by pixel. Slow; tests compare it with the row
 * loops of the other builds. */
/* Which components are set depends on data; those that are used are. */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#define SCALAR_BUILD 1
#define VARIANT(name) pinring_##name##_scalar
#include "planes.cu"
#include "resize.cu"
#include "convert.cu"
#include "wide.cu"
#include "turn.cu"
#include "unsharp.cu"
