/* convert.cu: between YUV and rgb24, resampling on the way where sizes differ.
 *
 *   to_rgb     luma and chroma are brought to the output's size, then through the matrix
 *   from_rgb   r, g and b are brought to the luma grid and to the chroma grid, then through the
 *              matrix (which commutes with resampling, so that no full-size chroma is ever stored)
 *
 * Layout, items and odd sizes as in planes.cu. The constants come from matrix.go.
 */
#include "resample.h"

/* Matrix cells of to_rgb. Sums are formed at half the work scale, where they fit into 16 bits. A
 * factor is split into a whole part and a fraction of 32768. */
enum { Y_OFFSET, Y_FRACTION, RV_WHOLE, RV_FRACTION, GU_FRACTION, GV_FRACTION, BU_WHOLE, BU_FRACTION };

FN s16 byte_of(s32 half, s16 flip)
{
	s16 t = (s16)((s16)(half + 16) >> 5);
	t = t < 0 ? 0 : t;
	t = t > 255 ? 255 : t;
	return t ^ flip;
}

PART void yuv_matrix(const s32 *m, const s32 *flip, s16 *y, s16 *u, s16 *v, int n)
{
	const s16 y0 = (s16)m[Y_OFFSET], yf = (s16)m[Y_FRACTION];
	const s16 rw = (s16)m[RV_WHOLE], rf = (s16)m[RV_FRACTION];
	const s16 gu = (s16)m[GU_FRACTION], gv = (s16)m[GV_FRACTION];
	const s16 bw = (s16)m[BU_WHOLE], bf = (s16)m[BU_FRACTION];
	const s16 fr = (s16)flip[0], fg = (s16)flip[1], fb = (s16)flip[2];
	for (int i = 0; i < n; i++) {
		s16 t = (s16)((s16)(y[i] - y0) >> 1);
		s16 cu = (s16)((s16)(u[i] - WORK_MID) >> 1), cv = (s16)((s16)(v[i] - WORK_MID) >> 1);
		t = (s16)(t + mulr(t, yf));
		s16 r = (s16)(t + (s16)(rw * cv) + mulr(cv, rf));
		s16 g = (s16)(t + mulr(cu, gu) + mulr(cv, gv));
		s16 b = (s16)(t + (s16)(bw * cu) + mulr(cu, bf));
		y[i] = byte_of(r, fr);
		u[i] = byte_of(g, fg);
		v[i] = byte_of(b, fb);
	}
}

FN void to_rgb_body(const u64 *v, int x, int row)
{
	const struct Params *p = params(v);
	const int n = chunk(p->g[0].w, x);
	s16 y[1][BUF], c[2][BUF];
	load(v, &p->g[0], 0, 1, x, n, row, y);
	load_chroma(v, &p->g[1], x, n, row, c);
	yuv_matrix(p->m, p->g[0].xor_, y[0], c[0], c[1], n);
	store3(dst_row(v, 0, row), x, n, y[0], c[0], c[1]);
}

/* weigh is one row of from_rgb's matrix: three fractions of 32768 and an offset. */
PART void weigh(const s32 *m, s16 (*b)[BUF], s16 *o, int n)
{
	const s16 r = (s16)m[0], g = (s16)m[1], bl = (s16)m[2], off = (s16)m[3];
	for (int i = 0; i < n; i++)
		o[i] = (s16)(off + mulr(b[0][i], r) + mulr(b[1][i], g) + mulr(b[2][i], bl));
}

FN void from_rgb_body(const u64 *v, int x, int row)
{
	const struct Params *p = params(v);
	s16 b[3][BUF], o[2][BUF];
	{
		const struct Group *g = &p->g[0];
		const int n = chunk(g->w, x);
		load(v, g, 0, 3, x, n, row, b);
		weigh(p->m, b, o[0], n);
		put(v, g, 0, 0, row, x, n, o[0]);
	}
	const struct Group *g = &p->g[1];
	if (x >= g->w || (row & ((1 << p->rowshift) - 1)) != 0) return;
	const int n = chunk(g->w, x), crow = row >> p->rowshift;
	if (g->table || p->g[0].table) load(v, g, 0, 3, x, n, crow, b); /* else b is right already */
	weigh(p->m + 4, b, o[0], n);
	weigh(p->m + 8, b, o[1], n);
	if (g->dlanes == 2) {
		finish(v, o[0], g, 1, n);
		finish(v, o[1], g, 2, n);
		store2(dst_row(v, 1, crow), x, n, o[0], o[1]);
	} else {
		put(v, g, 1, 1, crow, x, n, o[0]);
		put(v, g, 2, 2, crow, x, n, o[1]);
	}
}

KERNEL(to_rgb, to_rgb_body)
KERNEL(from_rgb, from_rgb_body)
