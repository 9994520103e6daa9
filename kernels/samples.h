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

#include "tone.h"

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
FN s32 finish_one(const u64 *v, const struct Group *g, int c, s16 b)
{
	const struct Store *o = &g->o[c];
	const s32 code = o->mul ? (b * o->mul + o->add) >> o->shr : mulr(b, (s16)(1 << (15 - o->shr)));
	return tone_code(v, &params(v)->tone[c], clamp32(code, 0, o->max), o->max) ^ o->flip;
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

/* finish turns the work values of component c into codes. */
FN void finish(const u64 *v, const struct Group *g, int c, s16 *b, int n)
{
	(void)n;
	b[0] = (s16)finish_one(v, g, c, b[0]);
}

/* store writes the components of g from their finished codes; put finishes them first. */
FN void store(const u64 *v, const struct Group *g, int x, int n, int row, s16 (*b)[BUF])
{
	(void)n;
	for (int c = 0; c < COMPONENTS; c++)
		if (g->d.plane[c] >= 0) put_code(v, &g->d, c, x, row, (u16)b[c][0]);
}

FN void put(const u64 *v, const struct Group *g, int x, int n, int row, s16 (*b)[BUF])
{
	(void)n;
	for (int c = 0; c < COMPONENTS; c++)
		if (g->d.plane[c] >= 0) put_code(v, &g->d, c, x, row, finish_one(v, g, c, b[c][0]));
}

#else
#include "samples_host.h"
#endif

/* copy_row copies n bytes from byte x on, and flips bits. */
PART void copy_row(u8 *__restrict d, const u8 *__restrict s, int x, int n, int flip)
{
	const u8 f = (u8)flip;
	for (int i = x; i < x + n; i++) d[i] = s[i] ^ f;
}

/* copy_tone copies bytes that are whole samples of one component (or of several with one tone). */
FN void copy_tone(const u64 *v, const struct Group *g, int c, int plane, int row, int x, int n)
{
	const struct Tone *t = &params(v)->tone[c];
	u8 *d = dst_row(v, plane, row);
	const u8 *s = src_row(v, plane, row);
	if (t->kind == TONE_LINE) tone_bytes_line(t, d, s, x, n, g->o[c].flip);
	else if (t->kind == TONE_TABLE) tone_bytes_table(v, t, d, s, x, n, g->o[c].flip);
	else copy_row(d, s, x, n, g->o[c].flip);
}

/* copy_group copies the planes of a group whose samples stay as they are, but for their tone. */
FN void copy_group(const u64 *v, const struct Group *g, int x, int n, int row)
{
	const int unit = g->d.bytes * g->d.lanes;
	for (int c = 0; c < COMPONENTS; c++) {
		const int p = g->d.plane[c];
		if (p < 0) continue;
		copy_tone(v, g, c, p, row, x * unit, n * unit);
		if (g->d.lanes > 1) break; /* one plane holds them all */
	}
}

#endif
