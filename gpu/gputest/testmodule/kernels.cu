/* The test kernels for NVIDIA GPUs, compiled by clang without a toolkit. A kernel has one
 * parameter, the argument cells; threads beyond the last column and row do nothing. */
#define ITEM __attribute__((device)) static inline __attribute__((always_inline))
#include "kernels.h"

struct cells { u64 v[32]; };

#define KERNEL(name) \
	extern "C" __attribute__((global)) void name(struct cells a) { \
		u64 x = (u64)__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x(); \
		u64 y = (u64)__nvvm_read_ptx_sreg_ctaid_y() * __nvvm_read_ptx_sreg_ntid_y() + __nvvm_read_ptx_sreg_tid_y(); \
		if (x < a.v[4] && y < a.v[5]) item_##name(a.v, x, y); \
	}

KERNEL(affine)
KERNEL(tally)
KERNEL(churn)
KERNEL(cells)

/* wild: writes to the address in cell 0, to see what a device does about a fault. */
extern "C" __attribute__((global)) void wild(struct cells a) { *(volatile u32 *)a.v[0] = 1; }
