//go:build cgo && !windows

/* host_base.c: the kernels for any processor. */
#define VARIANT(name) pinring_##name##_base
#include "planes.cu"
#include "convert.cu"
#include "unsharp.cu"
