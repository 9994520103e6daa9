/* convert.cu: between YUV and RGB, resampling on the way where sizes differ.
 *
 *   to_rgb     luma and chroma are brought to the output's size, then through the matrix
 *   from_rgb   r, g and b are brought to the luma grid and to the chroma grid, then through the
 *              matrix (which commutes with resampling, so that no full-size chroma is ever stored)
 *
 * Alpha travels with luma, or with r, g and b. Layout, items and odd sizes as in planes.cu. The
 * constants come from matrix.go.
 */
#include "resample.h"

/* Matrix cells of to_rgb. Sums are formed at half the work scale, where they fit into 16 bits. A
 * factor is split into a whole part and a fraction of 32768. */
enum { Y_OFFSET, Y_FRACTION, RV_WHOLE, RV_FRACTION, GU_FRACTION, GV_FRACTION, BU_WHOLE, BU_FRACTION };

/* half_code makes a code of a value at half the work scale: `down` = 2^(15-shift) shifts it right. */
FN s16 half_code(s16 half, s16 down, s16 max, s16 flip)
{
	s16 t = mulr(half, down);
	t = t < 0 ? 0 : t;
	t = t > max ? max : t;
	return t ^ flip;
}

PART void yuv_matrix(const s32 *m, const struct Store *o, s16 *y, s16 *u, s16 *v, int n)
{
	const s16 y0 = (s16)m[Y_OFFSET], yf = (s16)m[Y_FRACTION];
	const s16 rw = (s16)m[RV_WHOLE], rf = (s16)m[RV_FRACTION];
	const s16 gu = (s16)m[GU_FRACTION], gv = (s16)m[GV_FRACTION];
	const s16 bw = (s16)m[BU_WHOLE], bf = (s16)m[BU_FRACTION];
	const s16 fr = (s16)o[RED].flip, fg = (s16)o[GREEN].flip, fb = (s16)o[BLUE].flip;
	const s16 max = (s16)o[RED].max, down = (s16)(1 << (16 - o[RED].shr));
	for (int i = 0; i < n; i++) {
		s16 t = (s16)((s16)(y[i] - y0) >> 1);
		s16 cu = (s16)((s16)(u[i] - WORK_MID) >> 1), cv = (s16)((s16)(v[i] - WORK_MID) >> 1);
		t = (s16)(t + mulr(t, yf));
		s16 r = (s16)(t + (s16)(rw * cv) + mulr(cv, rf));
		s16 g = (s16)(t + mulr(cu, gu) + mulr(cv, gv));
		s16 b = (s16)(t + (s16)(bw * cu) + mulr(cu, bf));
		y[i] = half_code(r, down, max, fr);
		u[i] = half_code(g, down, max, fg);
		v[i] = half_code(b, down, max, fb);
	}
}

FN void to_rgb_body(const u64 *v, struct Memory *mem, int x, int row)
{
	const struct Params *p = params(v);
	const struct Group *g = &p->g[0];
	const int n = outputs(mem, g->w, x);
	s16 b[COMPONENTS][BUF];
	load(v, mem, g, x, n, row, b);
	load(v, mem, &p->g[1], x, n, row, b);
	yuv_matrix(p->m, g->o, b[Y], b[U], b[V], n);
	if (g->d.plane[ALPHA] >= 0) finish(v, g, ALPHA, b[ALPHA], n);
	store(v, g, x, n, row, b);
}

/* weigh is one row of from_rgb's matrix: three fractions of 32768 and an offset. */
PART void weigh(const s32 *m, s16 (*b)[BUF], s16 *o, int n)
{
	const s16 r = (s16)m[0], g = (s16)m[1], bl = (s16)m[2], off = (s16)m[3];
	for (int i = 0; i < n; i++)
		o[i] = (s16)(off + mulr(b[RED][i], r) + mulr(b[GREEN][i], g) + mulr(b[BLUE][i], bl));
}

FN void from_rgb_body(const u64 *v, struct Memory *mem, int x, int row)
{
	const struct Params *p = params(v);
	s16 b[COMPONENTS][BUF], o[COMPONENTS][BUF];
	{
		const struct Group *g = &p->g[0];
		const int n = outputs(mem, g->w, x);
		load(v, mem, g, x, n, row, b);
		weigh(p->m, b, o[Y], n);
		if (g->d.plane[ALPHA] >= 0)
			for (int i = 0; i < n; i++) o[ALPHA][i] = b[ALPHA][i];
		put(v, g, x, n, row, o);
	}
	const struct Group *g = &p->g[1];
	if (x >= g->w || (row & ((1 << p->rowshift) - 1)) != 0) return;
	const int n = outputs(mem, g->w, x), crow = row >> p->rowshift;
	if (g->table || p->g[0].table) load(v, mem, g, x, n, crow, b); /* else b is right already */
	weigh(p->m + 4, b, o[U], n);
	weigh(p->m + 8, b, o[V], n);
	put(v, g, x, n, crow, o);
}

RESAMPLING(to_rgb, to_rgb_body)
RESAMPLING(from_rgb, from_rgb_body)
