/* portable.h lets one kernel source compile for two processors:
 *
 *   CUDA   clang -x cuda, no toolkit: a thread computes one item (one pixel of one row);
 *   host   C11 through cgo: a call computes a band of rows, ITEM pixels at a time, in loops that the
 *          compiler turns into vector code. Each instruction set is its own translation unit
 *          (host_*.c), which defines VARIANT(name).
 *
 * A kernel body is written once, as  FN void body(const u64 *v, int x, int row), and handles up to
 * ITEM pixels from x on. All arithmetic is integer, so that both give the same bytes.
 */
#ifndef PINRING_PORTABLE_H
#define PINRING_PORTABLE_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef short s16;
typedef int s32;
typedef unsigned int u32;
typedef long long s64;
typedef unsigned long long u64;

#define CELLS 32 /* argument cells of a launch, 8 bytes each */

#ifdef __CUDA__

#define DEVICE_BUILD 1
#define ITEM 1
#define FN static __attribute__((device)) inline __attribute__((always_inline))
#define PART FN
#define BUF 1
#define ROLLED _Pragma("unroll 1") /* a loop whose body shall be in the code once */
struct Args { u64 v[CELLS]; };
#define KERNEL(name, body)                                                                         \
	extern "C" __attribute__((global)) void name(const Args a)                                     \
	{                                                                                              \
		int x = __nvvm_read_ptx_sreg_ctaid_x() * 32 + __nvvm_read_ptx_sreg_tid_x();                \
		int row = __nvvm_read_ptx_sreg_ctaid_y() * 8 + __nvvm_read_ptx_sreg_tid_y();               \
		if (x < (s32)a.v[0] && row < (s32)a.v[1]) body(a.v, x, row);                               \
	}

#else

#ifdef SCALAR_BUILD /* the device's code on the host, to test it without a device */
#define DEVICE_BUILD 1
#define ITEM 1
#define FN static inline __attribute__((always_inline))
#define PART FN
#define BUF 1
#define ROLLED
#else
#define ITEM 640 /* divides the widths of most pictures */
#define FN static inline __attribute__((always_inline))
#define PART static __attribute__((noinline)) /* called once per chunk: a call costs nothing there */
#define BUF (ITEM + 64) /* a chunk, and room for code that computes whole vectors */
#endif

#define KERNEL(name, body)                                                                         \
	void VARIANT(name)(const u64 *v, int row0, int row1)                                           \
	{                                                                                              \
		for (int row = row0; row < row1; row++)                                                    \
			for (int x = 0; x < (s32)v[0]; x += ITEM) body(v, x, row);                             \
	}

#endif

FN s32 min32(s32 a, s32 b) { return a < b ? a : b; }
FN s32 max32(s32 a, s32 b) { return a > b ? a : b; }
FN s32 clamp32(s32 v, s32 lo, s32 hi) { return v < lo ? lo : v > hi ? hi : v; }

/* chunk is how many samples a body handles from x on, in rows of w > x samples. */
FN int chunk(int w, int x) { return ITEM == 1 ? 1 : min32(ITEM, w - x); }

/* mulr is a*b/32768, rounded half up: the fixed-point product of all kernels, chosen because it is
 * one instruction on 16-bit lanes (pmulhrsw). The shape of the expression is the one that GCC
 * recognises; it equals (a*b + 16384) >> 15. */
FN s16 mulr(s16 a, s16 b) { return (s16)(((((s32)a * b) >> 14) + 1) >> 1); }

#endif
