/* unsharp_host.h is the host's half of unsharp.cu: sums of columns under a chunk, then of rows.
 * Included by unsharp.cu only. Interleaved components stay interleaved: neighbours are `step` apart. */
#ifndef PINRING_UNSHARP_HOST_H
#define PINRING_UNSHARP_HOST_H

/* SHARP_REACH is the most that a kernel reaches to each side. */
enum { SHARP_REACH = 11, SHARP_BUF = 2 * (ITEM + 2 * SHARP_REACH + 32) };

/* columns: d[i] is the weighted sum of sample i of the rows. c are binomial weights, so that small
 * kernels have constants of their own. */
#define DEFINE_COLUMNS(T, A)                                                                       \
	PART void columns_##T##_##A(A *__restrict d, const u8 *const *rows, const u32 *c, int taps, int count) \
	{                                                                                              \
		const T *__restrict p = (const T *)rows[0], *__restrict q = (const T *)rows[1],            \
			*__restrict r = (const T *)rows[2];                                                    \
		if (taps == 3) {                                                                           \
			for (int i = 0; i < count; i++) d[i] = (A)((A)(p[i] + r[i]) + (A)(q[i] * 2));          \
		} else if (taps == 5) {                                                                    \
			const T *__restrict s = (const T *)rows[3], *__restrict t = (const T *)rows[4];        \
			for (int i = 0; i < count; i++)                                                        \
				d[i] = (A)((A)(p[i] + t[i]) + (A)((A)(q[i] + s[i]) * 4) + (A)(r[i] * 6));          \
		} else {                                                                                   \
			for (int i = 0; i < count; i++) d[i] = (A)(p[i] * (A)c[0]);                            \
			for (int k = 1; k < taps; k++) {                                                       \
				const T *__restrict s = (const T *)rows[k];                                        \
				const A ck = (A)c[k];                                                              \
				for (int i = 0; i < count; i++) d[i] += (A)(s[i] * ck);                            \
			}                                                                                      \
		}                                                                                          \
	}                                                                                              \
	/* smooth adds neighbours to each other, `times` times: the binomial sum over times+1 of them. */ \
	FN void smooth_##T##_##A(A *d, int step, int times, int count)                                 \
	{                                                                                              \
		for (int t = 1; t <= times; t++)                                                           \
			for (int i = 0; i < count - t * step; i++) d[i] = (A)(d[i] + d[i + step]);             \
	}                                                                                              \
	/* border repeats the outermost columns: `lead` of them in front, up to `total` behind. */     \
	FN void border_##T##_##A(A *d, int lanes, int lead, int count, int total)                      \
	{                                                                                              \
		for (int i = 0; i < lead * lanes; i++) d[i] = d[lead * lanes + i % lanes];                 \
		for (int i = (lead + count) * lanes; i < total * lanes; i++) d[i] = d[i - lanes];          \
	}                                                                                              \
	/* smoothed fills d with the smooth values, still to be rounded and shifted. */                \
	PART void smoothed_##T##_##A(const u64 *v, const struct Group *g, const struct Sharp *sh, int plane, \
			int lanes, int x, int n, int row, A *d)                                                \
	{                                                                                              \
		const u8 *rows[2 * SHARP_REACH + 1];                                                       \
		const int lo = max32(x - sh->rx, 0), hi = min32(x + n + sh->rx, g->sw);                    \
		const int lead = lo - (x - sh->rx), total = n + 2 * sh->rx, taps = 2 * sh->ry + 1;         \
		for (int k = 0; k < taps; k++)                                                             \
			rows[k] = src_row(v, plane, clamp32(row + k - sh->ry, 0, g->sh - 1)) +                 \
				(s64)lo * lanes * (int)sizeof(T);                                                  \
		columns_##T##_##A(d + lead * lanes, rows, (const u32 *)table(v, sh->coef), taps, (hi - lo) * lanes); \
		border_##T##_##A(d, lanes, lead, hi - lo, total);                                          \
		if (lanes == 1) smooth_##T##_##A(d, 1, 2 * sh->rx, total);                                 \
		else smooth_##T##_##A(d, 2, 2 * sh->rx, 2 * total);                                        \
	}
DEFINE_COLUMNS(u8, u16)
DEFINE_COLUMNS(u8, u32)
DEFINE_COLUMNS(u16, u32)
DEFINE_COLUMNS(u16, u64)

/* blend is sharpened() over n samples. B is wide enough for (s - smooth)*amount/65536. */
#define DEFINE_BLEND(T, A, B)                                                                      \
	PART void blend_##T##_##A(const u8 *src, const A *__restrict d, const struct Sharp *sh, int max, int n, \
			s16 *__restrict o)                                                                     \
	{                                                                                              \
		const T *__restrict s = (const T *)src;                                                    \
		const int bits = 2 * (sh->rx + sh->ry);                                                    \
		const A half = (A)((A)1 << (bits - 1));                                                    \
		const B whole = (B)sh->whole, part = (B)sh->part, top = (B)max;                            \
		for (int i = 0; i < n; i++) {                                                              \
			const B c = (B)s[i], e = (B)(c - (B)((A)(d[i] + half) >> bits));                       \
			B t = (B)(c + (B)(e * whole) + (B)(((s32)e * part) >> 16));                            \
			t = t < 0 ? 0 : t;                                                                     \
			o[i] = (s16)(t > top ? top : t);                                                       \
		}                                                                                          \
	}
DEFINE_BLEND(u8, u16, s16)
DEFINE_BLEND(u8, u32, s16)
DEFINE_BLEND(u16, u32, s32)
DEFINE_BLEND(u16, u64, s32)

#define SHARPEN(T, A)                                                                              \
	{                                                                                              \
		A d[SHARP_BUF];                                                                            \
		smoothed_##T##_##A(v, g, sh, plane, lanes, x, n, row, d);                                  \
		blend_##T##_##A(src, d, sh, max, n * lanes, out);                                       \
	}

/* sharpen gives n codes of each lane from (x, row) on. */
PART void sharpen(const u64 *v, const struct Group *g, const struct Sharp *sh, int plane, int x, int n, int row,
		s16 *const *o)
{
	const int lanes = g->s.lanes, max = g->o[g->s.plane[Y] >= 0 ? Y : U].max;
	s16 mixed[SHARP_BUF], *out = lanes == 1 ? o[0] : mixed;
	const u8 *src = src_row(v, plane, row) + (s64)x * lanes * g->s.bytes;
	const int bits = 2 * (sh->rx + sh->ry);
	if (g->s.bytes == 1 && bits <= 8) SHARPEN(u8, u16)
	else if (g->s.bytes == 1) SHARPEN(u8, u32)
	else if (max >> (32 - bits) == 0) SHARPEN(u16, u32)
	else SHARPEN(u16, u64)
	if (lanes == 2)
		for (int i = 0; i < n; i++) { o[0][i] = mixed[2 * i]; o[1][i] = mixed[2 * i + 1]; }
}

#endif
