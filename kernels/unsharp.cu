/* unsharp.cu: sharpen or blur, as FFmpeg's unsharp.
 *
 * A plane is smoothed by the binomial kernel of 2*rx+1 by 2*ry+1 (the repeated sum of two neighbours),
 * border samples repeated, and each code s becomes s + (s - smooth)*amount, clamped. Sums are exact:
 * u16 where a kernel of 8-bit samples is small, u32 or u64 else; smooth is rounded half up, the product
 * rounded down. Planes with amount 0 are copied, and so is alpha. Then tone and flip, as in every kernel.
 *
 * Layout, items and odd sizes as in planes.cu, without shifts; input and output have one format and
 * size. Codes of 16 bits pass through s16 as bits. The device
 * sums the rectangle under each sample; unsharp_host.h does columns and rows one after the other.
 */
#include "samples.h"

/* sharpened is one code from its own value and the smooth one. */
FN s32 sharpened(s32 s, s32 smooth, const struct Sharp *sh, s32 max)
{
	const s32 d = s - smooth;
	return clamp32(s + d * sh->whole + ((d * sh->part) >> 16), 0, max);
}

#ifdef DEVICE_BUILD

FN u32 code_at(const u8 *row, int bytes, int at) { return bytes == 2 ? ((const u16 *)row)[at] : row[at]; }

/* A sum of 8-bit samples fits into 32 bits with every kernel, one of more bits may not. */
#define RECTANGLE(A)                                                                               \
	A sum = (A)1 << (bits - 1);                                                                    \
	for (int j = 0; j <= 2 * sh->ry; j++) {                                                        \
		const u8 *r = src_row(v, plane, clamp32(row + j - sh->ry, 0, g->sh - 1));                  \
		A line = 0;                                                                                \
		for (int k = 0; k <= 2 * sh->rx; k++)                                                      \
			line += (A)cx[k] * code_at(r, g->s.bytes, clamp32(x + k - sh->rx, 0, g->sw - 1) * lanes + lane); \
		sum += line * cy[j];                                                                       \
	}                                                                                              \
	return (s32)(sum >> bits);

FN s32 smooth_at(const u64 *v, const struct Group *g, const struct Sharp *sh, int plane, int lane, int x, int row)
{
	const u32 *cy = (const u32 *)table(v, sh->coef), *cx = cy + 2 * sh->ry + 1;
	const int bits = 2 * (sh->rx + sh->ry), lanes = g->s.lanes;
	if (g->s.bytes == 2) { RECTANGLE(u64) }
	RECTANGLE(u32)
}

FN void sharp_group(const u64 *v, const struct Group *g, const struct Sharp *sh, int x, int row)
{
	ROLLED
	for (int c = 0; c < COMPONENTS; c++) {
		const int plane = g->s.plane[c], lane = g->s.lane[c];
		if (plane < 0) continue;
		s32 s = (s32)code_at(src_row(v, plane, row), g->s.bytes, x * g->s.lanes + lane);
		if (c != ALPHA && (sh->whole || sh->part))
			s = sharpened(s, smooth_at(v, g, sh, plane, lane, x, row), sh, g->o[c].max);
		put_code(v, &g->d, c, x, row, tone_code(v, &params(v)->tone[c], s, g->o[c].max) ^ g->o[c].flip);
	}
}

#else

#include "unsharp_host.h"

/* polish applies tone and flip. */
FN void polish(const u64 *v, const struct Group *g, int c, int n, s16 *b)
{
	const struct Tone *t = &params(v)->tone[c];
	const s16 flip = (s16)g->o[c].flip;
	if (t->kind == TONE_NONE)
		for (int i = 0; i < n; i++) b[i] ^= flip;
	else
		tone(v, t, b, g->o[c].max, flip, n);
}

/* sharp_lanes gives n codes of each lane of a plane. Alpha is never sharpened. */
FN void sharp_lanes(const u64 *v, const struct Group *g, const struct Sharp *sh, int plane, int alpha, int x, int n,
		int row, s16 *const *o)
{
	s16 unused[BUF];
	s16 *keep[2] = {unused, unused};
	const int on = sh->whole || sh->part;
	if (on) sharpen(v, g, sh, plane, x, n, row, o);
	if (on && alpha < 0) return;
	if (on) keep[alpha] = o[alpha];
	load_row(on ? keep : o, src_row(v, plane, row), &g->s, 1, x, n);
}

FN void sharp_group(const u64 *v, const struct Group *g, const struct Sharp *sh, int x, int row)
{
	const struct Where *w = &g->s;
	const int n = chunk(g->w, x);
	s16 b[COMPONENTS][BUF];
	s16 *o[2] = {b[0], b[1]};
	for (int c = 0; c < COMPONENTS; c++) {
		if (w->plane[c] < 0) continue;
		o[w->lane[c]] = b[c];
		if (w->lanes == 1) sharp_lanes(v, g, sh, w->plane[c], c == ALPHA ? 0 : -1, x, n, row, o);
	}
	if (w->lanes > 1) sharp_lanes(v, g, sh, packed_plane(w), w->plane[ALPHA] < 0 ? -1 : w->lane[ALPHA], x, n, row, o);
	for (int c = 0; c < COMPONENTS; c++)
		if (w->plane[c] >= 0) polish(v, g, c, n, b[c]);
	store(v, g, x, n, row, b);
}

#endif

FN void sharp_part(const u64 *v, int group, int x, int row)
{
	const struct Group *g = &params(v)->g[group];
	if (g->copy) copy_group(v, g, x, chunk(g->w, x), row);
	else sharp_group(v, g, &params(v)->sharp[group], x, row);
}

FN void unsharp_body(const u64 *v, int x, int row)
{
	const struct Params *p = params(v);
	sharp_part(v, 0, x, row);
	if (x < p->g[1].w && (row & ((1 << p->rowshift) - 1)) == 0) sharp_part(v, 1, x, row >> p->rowshift);
}

KERNEL(unsharp, unsharp_body)
