/* samples.h loads and stores chunks of samples.
 *
 * Between load and store a sample is a "work" value: its code value moved up to 14 bits (8-bit v
 * is v<<6, 10-bit v is v<<4) in a signed 16-bit integer. The two upper bits are room for the
 * overshoot of sharp filters, which is clipped only when the sample is stored.
 */
#ifndef PINRING_SAMPLES_H
#define PINRING_SAMPLES_H

#include "tone.h"

#define WORK_MID 8192 /* no colour */

/* work scales a sample by a power of two. As a product it stays 16 bits wide in vector code, which a
 * shift by a variable would not. */
FN s16 work(s32 v, s16 scale) { return (s16)(u16)(v * scale); }

/* spread splits interleaved samples into one array per component, scaled to work values. The loops
 * are spelled out per type and lane count because only constant strides become vector code. */
#define SPREAD1(T)                                                                                 \
	{ const T *s = (const T *)row + x; for (int i = 0; i < n; i++) o[0][i] = work(s[i], scale); }
#define SPREAD2(T)                                                                                 \
	{ const T *s = (const T *)row + 2 * x;                                                         \
	  for (int i = 0; i < n; i++) {                                                                \
		  o[0][i] = work(s[2 * i], scale); o[1][i] = work(s[2 * i + 1], scale); } }
#define SPREAD3(T)                                                                                 \
	{ const T *s = (const T *)row + 3 * x;                                                         \
	  for (int i = 0; i < n; i++) {                                                                \
		  o[0][i] = work(s[3 * i], scale); o[1][i] = work(s[3 * i + 1], scale);                  \
		  o[2][i] = work(s[3 * i + 2], scale); } }

PART void load_row(s16 (*__restrict o)[BUF], const u8 *row, int bytes, int lanes, s16 scale, int x, int n)
{
	if (lanes == 3) SPREAD3(u8)
	else if (lanes == 2) SPREAD2(u8)
	else if (bytes == 2) SPREAD1(u16)
	else SPREAD1(u8)
}

/* load_codes is load_row without a scale: the work values are the codes. */
FN void load_codes(s16 (*o)[BUF], const u8 *row, int bytes, int lanes, int x, int n)
{
	load_row(o, row, bytes, lanes, 1, x, n);
}

/* finish turns work values into code values, in place, tone and all. Without a gain the store is a
 * rounded right shift, written as a product because that is one instruction on 16-bit lanes. */
PART void finish_codes(s16 *b, const struct Group *g, int flip, int n)
{
	const s32 mul = g->mul, add = g->add, shr = g->shr;
	const s16 max = (s16)g->max, shift = (s16)(1 << (15 - shr));
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

FN void finish(const u64 *v, s16 *b, const struct Group *g, int component, int n)
{
	const struct Tone *t = &params(v)->tone[component];
	const int flip = g->xor_[component];
	finish_codes(b, g, t->kind == TONE_NONE ? flip : 0, n);
	tone(v, t, b, g->max, flip, n);
}

PART void store1(u8 *row, int bytes, int x, int n, const s16 *b)
{
	if (bytes == 2) {
		u16 *__restrict d = (u16 *)row + x;
		for (int i = 0; i < n; i++) d[i] = (u16)b[i];
	} else {
		u8 *__restrict d = row + x;
		for (int i = 0; i < n; i++) d[i] = (u8)b[i];
	}
}

PART void store2(u8 *row, int x, int n, const s16 *a, const s16 *b)
{
	u8 *__restrict d = row + 2 * x;
	for (int i = 0; i < n; i++) { d[2 * i] = (u8)a[i]; d[2 * i + 1] = (u8)b[i]; }
}

PART void store3(u8 *row, int x, int n, const s16 *a, const s16 *b, const s16 *c)
{
	u8 *__restrict d = row + 3 * x;
	for (int i = 0; i < n; i++) {
		d[3 * i] = (u8)a[i];
		d[3 * i + 1] = (u8)b[i];
		d[3 * i + 2] = (u8)c[i];
	}
}

/* finish1 is finish and store1 in one, for bytes that need no more than a shift and a flip. */
PART void finish1(u8 *row, int x, int n, const s16 *b, int shr, int flip)
{
	u8 *__restrict d = row + x;
	const s16 shift = (s16)(1 << (15 - shr)); /* as a constant GCC would not see the 16-bit product */
	for (int i = 0; i < n; i++) {
		s16 t = mulr(b[i], shift);
		t = t < 0 ? 0 : t;
		t = t > 255 ? 255 : t;
		d[i] = (u8)(t ^ (s16)flip);
	}
}

FN const u8 *src_row(const u64 *v, int plane, int y)
{
	return (const u8 *)v[CELL_SRC + plane] + (s64)y * (s64)v[CELL_SRC_STRIDE + plane];
}

FN u8 *dst_row(const u64 *v, int plane, int y)
{
	return (u8 *)v[CELL_DST + plane] + (s64)y * (s64)v[CELL_DST_STRIDE + plane];
}

/* put finishes n work values of a plane of one component, and stores them. */
FN void put(const u64 *v, const struct Group *g, int component, int plane, int row, int x, int n, s16 *b)
{
	if (g->dbytes == 1 && g->mul == 0 && params(v)->tone[component].kind == TONE_NONE) {
		finish1(dst_row(v, plane, row), x, n, b, g->shr, g->xor_[component]);
		return;
	}
	finish(v, b, g, component, n);
	store1(dst_row(v, plane, row), g->dbytes, x, n, b);
}

/* copy_row copies n bytes from byte x on, and flips bits. */
PART void copy_row(u8 *__restrict d, const u8 *__restrict s, int x, int n, int flip)
{
	const u8 f = (u8)flip;
	for (int i = x; i < x + n; i++) d[i] = s[i] ^ f;
}

/* copy_tone copies bytes that are whole samples of one component (or of several with one tone). */
FN void copy_tone(const u64 *v, const struct Group *g, int component, int plane, int row, int x, int n)
{
	const struct Tone *t = &params(v)->tone[component];
	u8 *d = dst_row(v, plane, row);
	const u8 *s = src_row(v, plane, row);
	if (t->kind == TONE_LINE) tone_bytes_line(t, d, s, x, n, g->xor_[component]);
	else if (t->kind == TONE_TABLE) tone_bytes_table(v, t, d, s, x, n, g->xor_[component]);
	else copy_row(d, s, x, n, g->xor_[component]);
}

#endif
