/* unsharp.cu: sharpen or blur, as FFmpeg's unsharp.
 *
 * A plane is smoothed by the binomial kernel of 2*rx+1 by 2*ry+1 (the repeated sum of two neighbours),
 * border samples repeated, and each code s becomes s + (s - smooth)*amount, clamped. Sums are exact:
 * u16 where a kernel of 8-bit samples is small, u32 or u64 else; smooth is rounded half up, the product
 * rounded down. Planes with amount 0 are copied. Then tone and flip, as in every kernel.
 *
 * Layout, items and odd sizes as in planes.cu; input and output have one format and size. The device
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
			line += (A)cx[k] * code_at(r, g->sbytes, clamp32(x + k - sh->rx, 0, g->sw - 1) * lanes + lane); \
		sum += line * cy[j];                                                                       \
	}                                                                                              \
	return (s32)(sum >> bits);

FN s32 smooth_at(const u64 *v, const struct Group *g, const struct Sharp *sh, int plane, int lanes, int lane,
		int x, int row)
{
	const u32 *cy = (const u32 *)table(v, sh->coef), *cx = cy + 2 * sh->ry + 1;
	const int bits = 2 * (sh->rx + sh->ry);
	if (g->sbytes == 2) { RECTANGLE(u64) }
	RECTANGLE(u32)
}

FN void sharpen(const u64 *v, const struct Group *g, const struct Sharp *sh, int plane, int lanes, int x, int n,
		int row, s16 (*o)[BUF])
{
	(void)n;
	for (int l = 0; l < lanes; l++) {
		s32 s = (s32)code_at(src_row(v, plane, row), g->sbytes, x * lanes + l);
		o[l][0] = (s16)sharpened(s, smooth_at(v, g, sh, plane, lanes, l, x, row), sh, g->max);
	}
}

#else

#include "unsharp_host.h"

#endif

/* polish applies tone and flip. */
FN void polish(const u64 *v, const struct Group *g, int component, int n, s16 *b)
{
	const struct Tone *t = &params(v)->tone[component];
	const s16 flip = (s16)g->xor_[component];
	if (t->kind == TONE_NONE)
		for (int i = 0; i < n; i++) b[i] ^= flip;
	else
		tone(v, t, b, g->max, flip, n);
}

/* sharp_plane does a plane of one component. */
FN void sharp_plane(const u64 *v, int group, int plane, int x, int row)
{
	const struct Group *g = &params(v)->g[group];
	const int n = chunk(g->w, x);
	if (g->copy) {
		copy_tone(v, g, plane, plane, row, x * g->dbytes, n * g->dbytes);
		return;
	}
	const struct Sharp *sh = &params(v)->sharp[group];
	s16 b[1][BUF];
	if (sh->whole || sh->part) sharpen(v, g, sh, plane, 1, x, n, row, b);
	else load_codes(b, src_row(v, plane, row), g->sbytes, 1, x, n);
	polish(v, g, plane, n, b[0]);
	store1(dst_row(v, plane, row), g->dbytes, x, n, b[0]);
}

/* sharp_pair does nv12's chroma. */
FN void sharp_pair(const u64 *v, int x, int row)
{
	const struct Group *g = &params(v)->g[1];
	const int n = chunk(g->w, x);
	if (g->copy) {
		copy_tone(v, g, 1, 1, row, 2 * x, 2 * n);
		return;
	}
	const struct Sharp *sh = &params(v)->sharp[1];
	s16 b[2][BUF];
	if (sh->whole || sh->part) sharpen(v, g, sh, 1, 2, x, n, row, b);
	else load_codes(b, src_row(v, 1, row), 1, 2, x, n);
	polish(v, g, 1, n, b[0]);
	polish(v, g, 2, n, b[1]);
	store2(dst_row(v, 1, row), x, n, b[0], b[1]);
}

FN void unsharp_body(const u64 *v, int x, int row)
{
	const struct Params *p = params(v);
	sharp_plane(v, 0, 0, x, row);
	if (x >= p->g[1].w || (row & ((1 << p->rowshift) - 1)) != 0) return;
	row >>= p->rowshift;
	if (p->g[1].slanes == 2) {
		sharp_pair(v, x, row);
	} else {
		sharp_plane(v, 1, 1, x, row);
		sharp_plane(v, 1, 2, x, row);
	}
}

KERNEL(unsharp, unsharp_body)
