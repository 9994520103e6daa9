//go:build linux && cgo

#include <stdint.h>

#define ITEM static inline
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#include "kernels.h"

/* KERNEL defines the host form: rows [row0,row1), all columns. */
#define KERNEL(name) \
	void pinring_test_##name(const uint64_t *args, int row0, int row1) { \
		const u64 *a = (const u64 *)args; \
		for (int y = row0; y < row1; y++) \
			for (u64 x = 0; x < a[4]; x++) item_##name(a, x, (u64)y); \
	}

KERNEL(affine)
KERNEL(tally)
KERNEL(churn)
KERNEL(cells)
