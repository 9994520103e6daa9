/* pinring's kernels for the processor: the files of kernels.cu, which has a namesake here. */
#define VARIANT(name) pinring_##name##_double
#include "planes.cu"
#include "resize.cu"
#include "convert.cu"
#include "wide.cu"
#include "turn.cu"
#include "unsharp.cu"
