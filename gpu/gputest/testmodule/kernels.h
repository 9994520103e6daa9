/* The test kernels. item_NAME computes the item (x, y); a is the launch's argument cells.
 * ITEM gives the functions the qualifiers of the compiler at hand. */
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

/* affine: u8 dst[y][x] = src[y][x] * mul + add, modulo 256. Pitches in bytes.
 * 0 dst, 1 dst pitch, 2 src, 3 src pitch, 4 cols, 5 rows, 6 mul, 7 add */
ITEM void item_affine(const u64 *a, u64 x, u64 y) {
	const u8 *src = (const u8 *)a[2] + y * a[3] + x;
	u8 *dst = (u8 *)a[0] + y * a[1] + x;
	*dst = (u8)(*src * a[6] + a[7]);
}

/* tally: u32 dst[y][x] += y * cols + x + 1. Items that are computed twice or never show.
 * 0 dst, 1 pitch, 4 cols, 5 rows */
ITEM void item_tally(const u64 *a, u64 x, u64 y) {
	u32 *dst = (u32 *)(a[0] + y * a[1]) + x;
	*dst += (u32)(y * a[4] + x + 1);
}

/* churn: u32 dst[y][x] = n steps of x * 1664525 + 1013904223. Slow, and not to be reordered.
 * 0 dst, 1 pitch, 4 cols, 5 rows, 6 n */
ITEM void item_churn(const u64 *a, u64 x, u64 y) {
	u32 *dst = (u32 *)(a[0] + y * a[1]) + x;
	u32 v = *dst;
	for (u64 i = 0; i < a[6]; i++) v = v * 1664525u + 1013904223u;
	*dst = v;
}

/* cells: u64 dst[i] = cell i, for all 32. One item.
 * 0 dst, 4 cols, 5 rows, all others: anything */
ITEM void item_cells(const u64 *a, u64 x, u64 y) {
	u64 *dst = (u64 *)a[0];
	(void)x;
	(void)y;
#pragma unroll
	for (int i = 0; i < 32; i++) dst[i] = a[i];
}
