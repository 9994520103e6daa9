/* samples_host.h is the host's half of samples.h: loads and stores of chunks. Included by samples.h only. */
#ifndef PINRING_SAMPLES_HOST_H
#define PINRING_SAMPLES_HOST_H

#include "packed_host.h"

/* SPREAD splits interleaved samples into one array per lane, scaled to work values. */
#define GET(i, GETTER) work(GETTER(s[i]), scale)
#define SPREAD1(T, G)                                                                              \
	{ const T *s = (const T *)row + x; s16 *__restrict p = o[0];                                   \
	  for (int i = 0; i < n; i++) p[i] = GET(i, G); }
#define SPREAD2(T, G)                                                                              \
	{ const T *s = (const T *)row + 2 * (s64)x; s16 *__restrict p = o[0], *__restrict q = o[1];    \
	  for (int i = 0; i < n; i++) { p[i] = GET(2 * i, G); q[i] = GET(2 * i + 1, G); } }
#define CODE(s) (s)
#define HIGH_CODE(s) high((s), keep)

PART void load_row(s16 *const *o, const u8 *row, const struct Where *w, s16 scale, int x, int n)
{
	if (w->bytes == 2) {
		const u16 keep = (u16)(1 << (16 - w->shift));
		if (w->lanes == 1 && w->shift == 0) SPREAD1(u16, CODE)
		else if (w->lanes == 1) SPREAD1(u16, HIGH_CODE)
		else if (w->shift == 0) SPREAD2(u16, CODE)
		else SPREAD2(u16, HIGH_CODE)
		return;
	}
	switch (w->lanes) {
	case 1: SPREAD1(u8, CODE) break;
	case 2: SPREAD2(u8, CODE) break;
	case 3: spread_threes(o, row + 3 * (s64)x, scale, n); break;
	default: spread_fours(o, row + 4 * (s64)x, scale, n);
	}
}

PART void finish_codes(s16 *b, const struct Store *o, int flip, int n)
{
	const s32 mul = o->mul, add = o->add, shr = o->shr;
	const s16 max = (s16)o->max, shift = (s16)(1 << (15 - shr));
	if (mul == 0) {
		for (int i = 0; i < n; i++) {
			s16 t = mulr(b[i], shift);
			t = t < 0 ? 0 : t;
			t = t > max ? max : t;
			b[i] = t ^ (s16)flip;
		}
	} else {
		for (int i = 0; i < n; i++) b[i] = (s16)(clamp32((b[i] * mul + add) >> shr, 0, max) ^ flip);
	}
}

/* finish turns the work values of component c into codes, in place, tone and all. */
FN void finish(const u64 *v, const struct Group *g, int c, s16 *b, int n)
{
	const struct Tone *t = &params(v)->tone[c];
	const struct Store *o = &g->o[c];
	finish_codes(b, o, t->kind == TONE_NONE ? o->flip : 0, n);
	tone(v, t, b, o->max, o->flip, n);
}

/* finish_bytes is finish and the store in one, for bytes that need no more than a shift and a flip. */
PART void finish_bytes(u8 *__restrict d, int n, const s16 *b, int shr, int flip)
{
	const s16 shift = (s16)(1 << (15 - shr)); /* as a constant GCC would not see the 16-bit product */
	for (int i = 0; i < n; i++) {
		s16 t = mulr(b[i], shift);
		t = t < 0 ? 0 : t;
		t = t > 255 ? 255 : t;
		d[i] = (u8)(t ^ (s16)flip);
	}
}

/* JOIN is the reverse of SPREAD. */
#define JOIN1(T, UP) for (int i = 0; i < n; i++) d[i] = (T)(o[0][i] * (UP));
#define JOIN2(T, UP)                                                                               \
	{ const s16 *a = o[0], *b = o[1];                                                              \
	  for (int i = 0; i < n; i++) { d[2 * i] = (T)(a[i] * (UP)); d[2 * i + 1] = (T)(b[i] * (UP)); } }

PART void join_u8(u8 *__restrict d, int lanes, int n, s16 *const *o)
{
	const s16 *p = o[0], *q = o[1], *r = o[2], *s = o[3];
	switch (lanes) {
	case 1: JOIN1(u8, 1) break;
	case 2: JOIN2(u8, 1) break;
	case 3: join_threes(d, n, p, q, r); break;
	default:
		for (int i = 0; i < n; i++) {
			d[4 * i] = (u8)p[i];
			d[4 * i + 1] = (u8)q[i];
			d[4 * i + 2] = (u8)r[i];
			d[4 * i + 3] = (u8)s[i];
		}
	}
}

PART void join_u16(u16 *__restrict d, int lanes, u16 up, int n, s16 *const *o)
{
	if (lanes == 1) JOIN1(u16, up)
	else JOIN2(u16, up)
}

FN void store_plane(const u64 *v, const struct Where *w, int plane, int x, int n, int row, s16 *const *o)
{
	u8 *d = dst_row(v, plane, row) + (s64)x * w->lanes * w->bytes;
	if (w->bytes == 2) join_u16((u16 *)d, w->lanes, (u16)(1 << w->shift), n, o);
	else join_u8(d, w->lanes, n, o);
}

/* store writes the components of g from their finished codes. */
PART void store(const u64 *v, const struct Group *g, int x, int n, int row, s16 (*b)[BUF])
{
	const struct Where *w = &g->d;
	s16 *o[COMPONENTS] = {b[0], b[0], b[0], b[0]};
	for (int c = 0; c < COMPONENTS; c++) {
		if (w->plane[c] < 0) continue;
		o[w->lane[c]] = b[c];
		if (w->lanes == 1) store_plane(v, w, w->plane[c], x, n, row, o);
	}
	if (w->lanes > 1) store_plane(v, w, packed_plane(w), x, n, row, o);
}

/* put finishes the components of g and stores them. */
PART void put(const u64 *v, const struct Group *g, int x, int n, int row, s16 (*b)[BUF])
{
	const struct Where *w = &g->d;
	for (int c = 0; c < COMPONENTS; c++) {
		if (w->plane[c] < 0) continue;
		if (w->lanes > 1) {
			finish(v, g, c, b[c], n);
		} else if (w->bytes == 1 && g->o[c].mul == 0 && params(v)->tone[c].kind == TONE_NONE) {
			finish_bytes(dst_row(v, w->plane[c], row) + x, n, b[c], g->o[c].shr, g->o[c].flip);
		} else {
			s16 *o[COMPONENTS] = {b[c], b[c], b[c], b[c]};
			finish(v, g, c, b[c], n);
			store_plane(v, w, w->plane[c], x, n, row, o);
		}
	}
	if (w->lanes > 1) store(v, g, x, n, row, b);
}

#endif
