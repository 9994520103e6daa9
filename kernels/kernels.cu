/* kernels.cu is the translation unit of the device build (scripts/build-ptx.sh). */
#include "planes.cu"
#include "resize.cu"
#include "convert.cu"
#include "wide.cu"
#include "turn.cu"
#include "unsharp.cu"
