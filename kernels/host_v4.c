//go:build cgo && amd64 && !windows

/* host_v4.c: the kernels for x86-64-v4 processors (AVX-512). Other compilers than GCC leave it out. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("arch=x86-64-v4")
#define VARIANT(name) pinring_##name##_v4
#include "planes.cu"
#include "resize.cu"
#include "convert.cu"
#include "wide.cu"
#include "turn.cu"
#include "unsharp.cu"
#endif
