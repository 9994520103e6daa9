/* wide.cu: what planes.cu and convert.cu do, for formats of more than 12 bits.
 *
 * A work value is a code moved up to 16 bits, minus 32768, in 32 bits: signed, so that the exact sum
 * of a filter's products fits into 32 bits, and chroma is zero where there is no colour. Each filter
 * sums exact products and rounds once. Layout, items and odd sizes as in planes.cu.
 */
#include "resample.h"

#define WIDE_HALF 32768

FN s32 wide_code(s32 code, const struct Where *w, s32 up) { return ((code >> w->shift) << up) - WIDE_HALF; }

/* wide_missing is what a component is that the source lacks. */
FN s32 wide_missing(int c) { return c == ALPHA ? WIDE_HALF - 1 : 0; }

FN s32 wide_finish(const u64 *v, const struct Group *g, int c, s32 b)
{
	const struct Store *o = &g->o[c];
	s32 code;
	if (o->mul) {
		const s64 t = ((s64)b * o->mul + o->add) >> o->shr;
		code = (s32)(t < 0 ? 0 : t > o->max ? o->max : t);
	} else {
		code = clamp32((b + WIDE_HALF + ((1 << o->shr) >> 1)) >> o->shr, 0, o->max);
	}
	return tone_code(v, &params(v)->tone[c], code, o->max) ^ o->flip;
}

#ifdef DEVICE_BUILD

FN s32 wide_plain(const u8 *row, const struct Where *w, s32 up, int at)
{
	return wide_code(w->bytes == 2 ? ((const u16 *)row)[at] : row[at], w, up);
}

FN s32 wide_column(const u64 *v, const struct Group *g, int plane, const s16 *coef, int taps, int pos, int at)
{
	if (taps == 1) return wide_plain(src_row(v, plane, clamp32(pos, 0, g->sh - 1)), &g->s, g->scale, at);
	s32 sum = 1 << 14;
	for (int k = 0; k < taps; k++)
		sum += wide_plain(src_row(v, plane, clamp32(pos + k, 0, g->sh - 1)), &g->s, g->scale, at) * coef[k];
	return sum >> 15;
}

FN s32 wide_at(const u64 *v, const struct Group *g, const struct Resampler *r, int plane, int lane, int x, int row)
{
	const s16 *vcoef = (const s16 *)table(v, r->vcoef) + (s64)row * r->vtaps;
	const s32 vpos = ((const s32 *)table(v, r->vpos))[row];
	const s16 *hcoef = (const s16 *)table(v, r->hcoef) + x;
	const s32 hpos = ((const s32 *)table(v, r->hpos))[x];
	const int taps = r->htaps, lanes = g->s.lanes;
	s64 sum = 1 << 14;
	for (int k = 0; k < taps; k++) {
		const s32 m = wide_column(v, g, plane, vcoef, r->vtaps, vpos, clamp32(hpos + k, 0, g->sw - 1) * lanes + lane);
		if (taps == 1) return m;
		sum += (s64)m * hcoef[(s64)k * r->hpitch];
	}
	return (s32)(sum >> 15);
}

FN s32 wide_component(const u64 *v, const struct Group *g, int c, int x, int row)
{
	const int p = g->s.plane[c], lane = g->s.lane[c];
	if (p < 0) return wide_missing(c);
	if (g->table) return wide_at(v, g, (const struct Resampler *)table(v, g->table), p, lane, x, row);
	return wide_plain(src_row(v, p, row), &g->s, g->scale, x * g->s.lanes + lane);
}

FN void wide_load(const u64 *v, const struct Group *g, int x, int n, int row, s32 (*b)[BUF])
{
	(void)n;
	ROLLED
	for (int c = 0; c < COMPONENTS; c++) {
		if (g->s.plane[c] < 0 && g->d.plane[c] < 0) continue;
		const s32 s = wide_component(v, g, c, x, row);
		for (int k = 0; k < COMPONENTS; k++) b[k][0] = c == k ? s : b[k][0];
	}
}

FN void wide_store(const u64 *v, const struct Group *g, int x, int n, int row, s32 (*b)[BUF])
{
	(void)n;
	for (int c = 0; c < COMPONENTS; c++)
		if (g->d.plane[c] >= 0) put_code(v, &g->d, c, x, row, wide_finish(v, g, c, b[c][0]));
}

#else

/* wide_row fetches n pixels of one lane. */
#define WIDE_LANES(T, LANES)                                                                       \
	{ const T *s = (const T *)row + (s64)first * (LANES) + lane;                                   \
	  for (int i = 0; i < n; i++) d[i] = ((s[(LANES) * i] >> shift) << up) - WIDE_HALF; }
#define WIDE_ROW(T)                                                                                \
	switch (w->lanes) {                                                                            \
	case 1: WIDE_LANES(T, 1) break;                                                                \
	case 2: WIDE_LANES(T, 2) break;                                                                \
	case 3: WIDE_LANES(T, 3) break;                                                                \
	default: WIDE_LANES(T, 4)                                                                      \
	}
PART void wide_row(s32 *__restrict d, const u8 *row, const struct Where *w, int lane, s32 up, int first, int n)
{
	const s32 shift = w->shift;
	if (w->bytes == 2) WIDE_ROW(u16)
	else WIDE_ROW(u8)
}

PART void wide_vertical(const u64 *v, const struct Group *g, const struct Resampler *r, int plane, int lane, int row,
		int first, int n, s32 *__restrict d)
{
	const s16 *coef = (const s16 *)table(v, r->vcoef) + (s64)row * r->vtaps;
	const s32 pos = ((const s32 *)table(v, r->vpos))[row];
	if (r->vtaps == 1) {
		wide_row(d, src_row(v, plane, clamp32(pos, 0, g->sh - 1)), &g->s, lane, g->scale, first, n);
		return;
	}
	s32 t[WINDOW];
	for (int i = 0; i < n; i++) d[i] = 1 << 14;
	for (int k = 0; k < r->vtaps; k++) {
		const s32 c = coef[k];
		wide_row(t, src_row(v, plane, clamp32(pos + k, 0, g->sh - 1)), &g->s, lane, g->scale, first, n);
		for (int i = 0; i < n; i++) d[i] += t[i] * c;
	}
	for (int i = 0; i < n; i++) d[i] >>= 15;
}

/* wide_window is the columns [c0, c1) after the vertical filter, border columns repeated. */
FN void wide_window(const u64 *v, const struct Group *g, const struct Resampler *r, int plane, int lane, int row,
		int c0, int c1, s32 *w)
{
	const int lo = clamp32(c0, 0, g->sw - 1), hi = clamp32(c1, lo + 1, g->sw);
	const int at = lo < c0 ? 0 : lo - c0, n = hi - lo;
	wide_vertical(v, g, r, plane, lane, row, lo, n, w + at);
	for (int i = 0; i < at; i++) w[i] = w[at];
	for (int i = at + n; i < c1 - c0; i++) w[i] = w[at + n - 1];
}

PART void wide_horizontal(const u64 *v, const struct Resampler *r, int x, const s32 *w, int n, s32 *__restrict o)
{
	const s32 *pos = (const s32 *)table(v, r->hpos) + x;
	const int taps = r->htaps, pitch = (taps + 7) & ~7;
	const s16 *row = (const s16 *)table(v, r->hrow) + (s64)x * pitch;
	if (taps == 1) {
		for (int i = 0; i < n; i++) o[i] = w[i];
		return;
	}
	for (int i = 0; i < n; i++) {
		const s32 *s = w + (pos[i] - pos[0]);
		const s16 *c = row + (s64)i * pitch;
		s64 sum = 1 << 14;
		for (int k = 0; k < taps; k++) sum += (s64)s[k] * c[k];
		o[i] = (s32)(sum >> 15);
	}
}

PART void wide_resample(const u64 *v, const struct Group *g, int plane, int lane, int x, int n, int row, s32 *o)
{
	const struct Resampler *r = (const struct Resampler *)table(v, g->table);
	const s32 *pos = (const s32 *)table(v, r->hpos) + x;
	s32 w[WINDOW_BUF];
	for (int i = 0, m; i < n; i += m) {
		m = n - i;
		while (m > 1 && pos[i + m - 1] + r->htaps - pos[i] > WINDOW) m = (m + 1) / 2;
		wide_window(v, g, r, plane, lane, row, pos[i], pos[i + m - 1] + r->htaps, w);
		wide_horizontal(v, r, x + i, w, m, o + i);
	}
}

PART void wide_load(const u64 *v, const struct Group *g, int x, int n, int row, s32 (*b)[BUF])
{
	for (int c = 0; c < COMPONENTS; c++) {
		const int p = g->s.plane[c];
		if (p < 0 && g->d.plane[c] < 0) continue;
		if (p < 0) for (int i = 0; i < n; i++) b[c][i] = wide_missing(c);
		else if (g->table) wide_resample(v, g, p, g->s.lane[c], x, n, row, b[c]);
		else wide_row(b[c], src_row(v, p, row), &g->s, g->s.lane[c], g->scale, x, n);
	}
}

/* wide_put stores n codes of one lane. */
#define WIDE_PUT(T, LANES)                                                                         \
	{ T *__restrict d = (T *)row + (s64)x * (LANES) + lane;                                        \
	  for (int i = 0; i < n; i++) d[(LANES) * i] = (T)(b[i] << shift); }
#define WIDE_PUT_ANY(T)                                                                            \
	switch (w->lanes) {                                                                            \
	case 1: WIDE_PUT(T, 1) break;                                                                  \
	case 2: WIDE_PUT(T, 2) break;                                                                  \
	case 3: WIDE_PUT(T, 3) break;                                                                  \
	default: WIDE_PUT(T, 4)                                                                        \
	}
PART void wide_put(u8 *row, const struct Where *w, int lane, int x, int n, const s32 *b)
{
	const s32 shift = w->shift;
	if (w->bytes == 2) WIDE_PUT_ANY(u16)
	else WIDE_PUT_ANY(u8)
}

/* wide_finish_row keeps the commonest case, a shift, apart for the sake of vector code. */
PART void wide_finish_row(const u64 *v, const struct Group *g, int c, s32 *__restrict b, int n)
{
	const struct Store o = g->o[c];
	if (o.mul || params(v)->tone[c].kind != TONE_NONE) {
		for (int i = 0; i < n; i++) b[i] = wide_finish(v, g, c, b[i]);
		return;
	}
	const s32 round = WIDE_HALF + ((1 << o.shr) >> 1);
	for (int i = 0; i < n; i++) b[i] = clamp32((b[i] + round) >> o.shr, 0, o.max) ^ o.flip;
}

PART void wide_store(const u64 *v, const struct Group *g, int x, int n, int row, s32 (*b)[BUF])
{
	for (int c = 0; c < COMPONENTS; c++) {
		if (g->d.plane[c] < 0) continue;
		wide_finish_row(v, g, c, b[c], n);
		wide_put(dst_row(v, g->d.plane[c], row), &g->d, g->d.lane[c], x, n, b[c]);
	}
}

#endif

FN void wide_planes_part(const u64 *v, const struct Group *g, int x, int row)
{
	const int n = chunk(g->w, x);
	s32 b[COMPONENTS][BUF];
	if (g->copy) {
		copy_group(v, g, x, n, row);
		return;
	}
	wide_load(v, g, x, n, row, b);
	wide_store(v, g, x, n, row, b);
}

FN void wide_planes_body(const u64 *v, int x, int row)
{
	const struct Params *p = params(v);
	wide_planes_part(v, &p->g[0], x, row);
	if (x < p->g[1].w && (row & ((1 << p->rowshift) - 1)) == 0)
		wide_planes_part(v, &p->g[1], x, row >> p->rowshift);
}

/* Matrix cells of wide_to_rgb: what makes black zero, then factors in units of 1/32768. */
enum { WIDE_BLACK, WIDE_Y, WIDE_RV, WIDE_GU, WIDE_GV, WIDE_BU };

FN s32 wide_round(s64 sum) { return (s32)((sum + (1 << 14)) >> 15); }

PART void wide_yuv_matrix(const s32 *m, s32 *y, s32 *u, s32 *v, int n)
{
	const s32 black = m[WIDE_BLACK], ym = m[WIDE_Y], rv = m[WIDE_RV], gu = m[WIDE_GU], gv = m[WIDE_GV], bu = m[WIDE_BU];
	for (int i = 0; i < n; i++) {
		const s64 t = (s64)(y[i] + black) * ym, cu = u[i], cv = v[i];
		y[i] = wide_round(t + cv * rv) - WIDE_HALF;
		u[i] = wide_round(t + cu * gu + cv * gv) - WIDE_HALF;
		v[i] = wide_round(t + cu * bu) - WIDE_HALF;
	}
}

FN void wide_to_rgb_body(const u64 *v, int x, int row)
{
	const struct Params *p = params(v);
	const int n = chunk(p->g[0].w, x);
	s32 b[COMPONENTS][BUF];
	wide_load(v, &p->g[0], x, n, row, b);
	wide_load(v, &p->g[1], x, n, row, b);
	wide_yuv_matrix(p->m, b[Y], b[U], b[V], n);
	wide_store(v, &p->g[0], x, n, row, b);
}

PART void wide_weigh(const s32 *m, s32 (*b)[BUF], s32 *o, int n)
{
	const s64 r = m[0], g = m[1], bl = m[2];
	const s32 off = m[3] - WIDE_HALF;
	for (int i = 0; i < n; i++)
		o[i] = off + wide_round(r * (b[RED][i] + WIDE_HALF) + g * (b[GREEN][i] + WIDE_HALF) + bl * (b[BLUE][i] + WIDE_HALF));
}

FN void wide_from_rgb_body(const u64 *v, int x, int row)
{
	const struct Params *p = params(v);
	s32 b[COMPONENTS][BUF], o[COMPONENTS][BUF];
	{
		const struct Group *g = &p->g[0];
		const int n = chunk(g->w, x);
		wide_load(v, g, x, n, row, b);
		wide_weigh(p->m, b, o[Y], n);
		if (g->d.plane[ALPHA] >= 0)
			for (int i = 0; i < n; i++) o[ALPHA][i] = b[ALPHA][i];
		wide_store(v, g, x, n, row, o);
	}
	const struct Group *g = &p->g[1];
	if (x >= g->w || (row & ((1 << p->rowshift) - 1)) != 0) return;
	const int n = chunk(g->w, x), crow = row >> p->rowshift;
	if (g->table || p->g[0].table) wide_load(v, g, x, n, crow, b); /* else b is right already */
	wide_weigh(p->m + 4, b, o[U], n);
	wide_weigh(p->m + 8, b, o[V], n);
	wide_store(v, g, x, n, crow, o);
}

KERNEL(wide_planes, wide_planes_body)
KERNEL(wide_to_rgb, wide_to_rgb_body)
KERNEL(wide_from_rgb, wide_from_rgb_body)
