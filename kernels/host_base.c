//go:build cgo && !windows

/* host_base.c: the kernels for any processor. */
#define VARIANT(name) pinring_##name##_base
#include "planes.cu"
#include "resize.cu"
#include "convert.cu"
#include "wide.cu"
#include "turn.cu"
#include "unsharp.cu"
