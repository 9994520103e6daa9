//go:build cgo && !windows

/* host.c chooses among the host builds by what the processor can do. */
#include <stddef.h>
#include "host.h"
#include "names.h"

#define DECLARE(name, level) void pinring_##name##_##level(const unsigned long long *, int, int);
#define DECLARE_ALL(level) KERNELS(DECLARE, level)
#define ENTRY(name, level) (void *)pinring_##name##_##level,
#define LIST(level) { KERNELS(ENTRY, level) }

DECLARE_ALL(scalar)
DECLARE_ALL(base)
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
DECLARE_ALL(v3)
DECLARE_ALL(v4)
#endif

static int runs(int level)
{
	if (level == LEVEL_SCALAR || level == LEVEL_BASE) return 1;
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
	__builtin_cpu_init();
	int v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
		__builtin_cpu_supports("fma");
	int v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
		__builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
	return level == LEVEL_V3 ? v3 : level == LEVEL_V4 ? v4 : 0;
#else
	return 0;
#endif
}

void *pinring_host_kernel(int level, int kernel)
{
	static void *const table[NUM_LEVELS][NUM_KERNELS] = {
		LIST(scalar),
		LIST(base),
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
		LIST(v3),
		LIST(v4),
#endif
	};
	if (level < 0 || level >= NUM_LEVELS || kernel < 0 || kernel >= NUM_KERNELS || !runs(level)) return NULL;
	return table[level][kernel];
}
