/* samples.h loads and stores chunks of samples.
 *
 * Between load and store a sample is a "work" value: its code value moved up to 14 bits (8-bit v
 * is v<<6, 10-bit v is v<<4) in a signed 16-bit integer. The two upper bits are room for the
 * overshoot of sharp filters, which is clipped only when the sample is stored. Formats of more than
 * 12 bits have work values of their own, see wide.cu.
 *
 * A chunk is an array of work values for each component, b[Y] or b[RED] and so on. What lies where
 * is data (struct Where); loops are spelled out per sample size and lane count only because constant
 * strides become vector code.
 */
#ifndef PINRING_SAMPLES_H
#define PINRING_SAMPLES_H

#include "params.h"

#define WORK_MID 8192    /* no colour */
#define WORK_OPAQUE 16383 /* ends at the largest code of any depth */

/* work scales a sample by a power of two. As a product it stays 16 bits wide in vector code, which a
 * shift by a variable would not. */
FN s16 work(s32 v, s16 scale) { return (s16)(u16)(v * scale); }

/* high drops the low bits of a sample, of which `keep` = 2^(16-shift) says how many remain. Also a
 * product, for the same reason. */
FN u16 high(u16 v, u16 keep) { return (u16)(((u32)v * keep) >> 16); }

/* finish_one is the definition of struct Store; finish is the same for a chunk. Without a gain the
 * store is a rounded right shift, written as a product because that is one instruction on 16-bit
 * lanes. */
FN s16 finish_one(s16 b, const struct Store *o)
{
	if (o->mul) return (s16)(clamp32((b * o->mul + o->add) >> o->shr, 0, o->max) ^ o->flip);
	return (s16)(clamp32(mulr(b, (s16)(1 << (15 - o->shr))), 0, o->max) ^ o->flip);
}

#ifdef DEVICE_BUILD

FN s16 plain(const u8 *row, const struct Where *w, s16 scale, int at)
{
	return work(w->bytes == 2 ? ((const u16 *)row)[at] >> w->shift : row[at], scale);
}

/* put_code stores the code of component c of pixel (x, row). */
FN void put_code(const u64 *v, const struct Where *w, int c, int x, int row, s32 code)
{
	u8 *d = dst_row(v, w->plane[c], row);
	const int at = x * w->lanes + w->lane[c];
	if (w->bytes == 2) ((u16 *)d)[at] = (u16)(code << w->shift);
	else d[at] = (u8)code;
}

/* store writes the components of g from their finished codes. */
FN void store(const u64 *v, const struct Group *g, int x, int n, int row, s16 (*b)[BUF])
{
	(void)n;
	for (int c = 0; c < COMPONENTS; c++)
		if (g->d.plane[c] >= 0) put_code(v, &g->d, c, x, row, b[c][0]);
}

#else

/* SPREAD splits interleaved samples into one array per lane, scaled to work values. */
#define GET(i, GETTER) work(GETTER(s[i]), scale)
#define SPREAD1(T, G)                                                                              \
	{ const T *s = (const T *)row + x; s16 *__restrict p = o[0];                                   \
	  for (int i = 0; i < n; i++) p[i] = GET(i, G); }
#define SPREAD2(T, G)                                                                              \
	{ const T *s = (const T *)row + 2 * (s64)x; s16 *__restrict p = o[0], *__restrict q = o[1];    \
	  for (int i = 0; i < n; i++) { p[i] = GET(2 * i, G); q[i] = GET(2 * i + 1, G); } }
#define SPREAD3(T, G)                                                                              \
	{ const T *s = (const T *)row + 3 * (s64)x;                                                    \
	  s16 *__restrict p = o[0], *__restrict q = o[1], *__restrict r = o[2];                        \
	  for (int i = 0; i < n; i++) {                                                                \
		  p[i] = GET(3 * i, G); q[i] = GET(3 * i + 1, G); r[i] = GET(3 * i + 2, G); } }
#define SPREAD4(T, G)                                                                              \
	{ const T *s = (const T *)row + 4 * (s64)x;                                                    \
	  s16 *__restrict p = o[0], *__restrict q = o[1], *__restrict r = o[2], *__restrict t = o[3];  \
	  for (int i = 0; i < n; i++) {                                                                \
		  p[i] = GET(4 * i, G); q[i] = GET(4 * i + 1, G);                                          \
		  r[i] = GET(4 * i + 2, G); t[i] = GET(4 * i + 3, G); } }
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
	case 3: SPREAD3(u8, CODE) break;
	default: SPREAD4(u8, CODE)
	}
}

PART void finish(s16 *b, const struct Store *o, int n)
{
	const s32 mul = o->mul, add = o->add, shr = o->shr;
	const s16 max = (s16)o->max, flip = (s16)o->flip, shift = (s16)(1 << (15 - shr));
	if (mul == 0) {
		for (int i = 0; i < n; i++) {
			s16 t = mulr(b[i], shift);
			t = t < 0 ? 0 : t;
			t = t > max ? max : t;
			b[i] = t ^ flip;
		}
	} else {
		for (int i = 0; i < n; i++) b[i] = (s16)(clamp32((b[i] * mul + add) >> shr, 0, max) ^ flip);
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
	case 3: for (int i = 0; i < n; i++) { d[3 * i] = (u8)p[i]; d[3 * i + 1] = (u8)q[i]; d[3 * i + 2] = (u8)r[i]; } break;
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

#endif

/* copy_row copies n bytes from byte x on, and flips bits. */
PART void copy_row(u8 *__restrict d, const u8 *__restrict s, int x, int n, int flip)
{
	const u8 f = (u8)flip;
	for (int i = x; i < x + n; i++) d[i] = s[i] ^ f;
}

/* copy_group copies the planes of a group whose samples stay as they are. */
FN void copy_group(const u64 *v, const struct Group *g, int x, int n, int row)
{
	const int unit = g->d.bytes * g->d.lanes;
	for (int c = 0; c < COMPONENTS; c++) {
		const int p = g->d.plane[c];
		if (p < 0) continue;
		copy_row(dst_row(v, p, row), src_row(v, p, row), x * unit, n * unit, g->o[c].flip);
		if (g->d.lanes > 1) break; /* one plane holds them all */
	}
}

#endif
