/* What can be launched: gputest's kernels and pinring's own, in their host forms. */
#include "double.h"

#include "host.c" /* of gpu/gputest/testmodule */
#include "names.h" /* of kernels */

#define VARIANT(name) pinring_##name##_double
#define DECLARE(name, level) void VARIANT(name)(const unsigned long long *, int, int);
KERNELS(DECLARE, double)

/* wild stands for a kernel that writes to nowhere. */
static void wild(const uint64_t *a, int row0, int row1) { (void)a; (void)row0; (void)row1; lose_context(); }

#define OURS(name, level) {#name, (void (*)(const uint64_t *, int, int))VARIANT(name), 0, 1},
static const struct CUfunc_st functions[] = {
	{"affine", pinring_test_affine, 4, 5}, {"tally", pinring_test_tally, 4, 5}, {"churn", pinring_test_churn, 4, 5},
	{"cells", pinring_test_cells, 4, 5}, {"wild", wild, -1, -1},
	KERNELS(OURS, double)};
enum { COUNT = sizeof functions / sizeof functions[0] };

const struct CUfunc_st *find_kernel(const char *name) {
	for (int i = 0; i < COUNT; i++)
		if (!strcmp(name, functions[i].name)) return &functions[i];
	return NULL;
}

int is_kernel(CUfunction f) { return f >= functions && f < functions + COUNT; }
