/* planes.cu: picture to picture without a change of colour model.
 *
 *   planes    planar or semi-planar YUV or grey to the same: size, subsampling, bit depth, range,
 *             negation, in one pass
 *   packed    rgb24 to rgb24: size, negation
 *
 * Layout: planes of u8 or u16 (10 bits in the low end), nv12's chroma u v u v …, rgb24 r g b r g b …
 * Strides in bytes. One item is one output pixel; the chroma samples of an item belong to the rows
 * that rowshift picks, so that bands of rows cost the same. Odd sizes: chroma sizes are rounded up.
 */
#include "resample.h"

FN void planes_luma(const u64 *v, const struct Group *g, int x, int row)
{
	const int n = chunk(g->w, x);
	if (g->copy) {
		copy_tone(v, g, 0, 0, row, x * g->dbytes, n * g->dbytes);
		return;
	}
	s16 b[1][BUF];
	load(v, g, 0, 1, x, n, row, b);
	put(v, g, 0, 0, row, x, n, b[0]);
}

FN void planes_chroma(const u64 *v, const struct Group *g, int x, int row)
{
	const int n = chunk(g->w, x);
	if (g->copy) {
		const int unit = g->dbytes * g->dlanes;
		for (int p = 1; p <= (g->dlanes == 1 ? 2 : 1); p++)
			copy_tone(v, g, p, p, row, x * unit, n * unit);
		return;
	}
	s16 b[2][BUF];
	load_chroma(v, g, x, n, row, b);
	if (g->dlanes == 2) {
		finish(v, b[0], g, 1, n);
		finish(v, b[1], g, 2, n);
		store2(dst_row(v, 1, row), x, n, b[0], b[1]);
	} else {
		put(v, g, 1, 1, row, x, n, b[0]);
		put(v, g, 2, 2, row, x, n, b[1]);
	}
}

FN void planes_body(const u64 *v, int x, int row)
{
	const struct Params *p = params(v);
	planes_luma(v, &p->g[0], x, row);
	if (x < p->g[1].w && (row & ((1 << p->rowshift) - 1)) == 0)
		planes_chroma(v, &p->g[1], x, row >> p->rowshift);
}

FN void packed_body(const u64 *v, int x, int row)
{
	const struct Group *g = &params(v)->g[0];
	const int n = chunk(g->w, x);
	if (g->copy) {
		copy_row(dst_row(v, 0, row), src_row(v, 0, row), 3 * x, 3 * n, g->xor_[0]);
		return;
	}
	s16 b[3][BUF];
	load(v, g, 0, 3, x, n, row, b);
	for (int c = 0; c < 3; c++) finish(v, b[c], g, c, n);
	store3(dst_row(v, 0, row), x, n, b[0], b[1], b[2]);
}

KERNEL(planes, planes_body)
KERNEL(packed, packed_body)
