/* pinring's kernels for the processor. */
#define VARIANT(name) pinring_##name##_double
#include "planes.cu"
#include "convert.cu"
#include "unsharp.cu"
