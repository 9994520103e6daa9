/* resample_host.h is the host's half of resample.h: windows of vertically filtered columns, then
 * horizontal filters over the window. Included by resample.h only. */
#ifndef PINRING_RESAMPLE_HOST_H
#define PINRING_RESAMPLE_HOST_H

#if defined(__SSSE3__)
#include <immintrin.h>
#endif

/* sweep: o[j] is the sum over k of from[k][j]*coef[k], rounded 16-bit products of up to SWEEP taps; not
 * the first sweep adds to what is there. */
#define TAP(k) + mulr(p[k][j], c[k])
#define LOOP(init, taps)                                                                           \
	for (int j = 0; j < n; j++) o[j] = (s16)(init taps);                                           \
	break;
#define TAPS(init)                                                                                 \
	switch (taps) {                                                                                \
	case 2: LOOP(init, TAP(0) TAP(1))                                                              \
	case 4: LOOP(init, TAP(0) TAP(1) TAP(2) TAP(3))                                                \
	case 6: LOOP(init, TAP(0) TAP(1) TAP(2) TAP(3) TAP(4) TAP(5))                                  \
	default: LOOP(init, TAP(0) TAP(1) TAP(2) TAP(3) TAP(4) TAP(5) TAP(6) TAP(7))                   \
	}
PART void sweep(s16 *__restrict o, const s16 *const *from, const s16 *coef, int taps, int first, int n)
{
	const s16 *__restrict p[SWEEP];
	s16 c[SWEEP];
	for (int k = 0; k < SWEEP; k++) { p[k] = from[k < taps ? k : 0]; c[k] = k < taps ? coef[k] : 0; }
	if (first) TAPS(0) else TAPS(o[j])
}

/* v_add adds a row to exact sums. */
PART void v_add(s32 *__restrict d, const s16 *__restrict p, s16 c, int n)
{
	for (int i = 0; i < n; i++) d[i] += p[i] * c;
}

/* v_short is a vertical filter of rounded products: d[lane] of those in use gets as many samples as the lines have. */
FN void v_short(const u64 *v, const struct Group *g, struct Lines *l, int plane, int pos, const s16 *coef,
		int taps, s16 *const *d)
{
	const int most = min32(SWEEP, l->slots), n = vectors(l->n);
	for (int k = 0, m; k < taps; k += m) {
		const s16 *rows[SWEEP];
		m = min32(most, taps - k);
		kept_rows(v, g, l, plane, pos + k, m, rows);
		for (int i = 0; i < l->used; i++) {
			sweep(d[i], rows, coef + k, m, k == 0, n);
			for (int j = 0; j < m; j++) rows[j] += l->pitch;
		}
	}
}

/* v_long sums exact products. */
FN void v_long(const u64 *v, const struct Group *g, struct Lines *l, int plane, int pos, const s16 *coef,
		int taps, s16 *const *d)
{
	s32 sum[COMPONENTS][WINDOW];
	for (int i = 0; i < l->used; i++)
		for (int j = 0; j < l->n; j++) sum[i][j] = 1 << 14;
	for (int k = 0; k < taps; k++) {
		const s16 *row;
		kept_rows(v, g, l, plane, pos + k, 1, &row);
		for (int i = 0; i < l->used; i++) v_add(sum[i], row + i * l->pitch, coef[k], l->n);
	}
	for (int i = 0; i < l->used; i++)
		for (int j = 0; j < l->n; j++) d[i][j] = (s16)(sum[i][j] >> 15);
}

/* vertical fills d[lane] with n vertically filtered samples from column lo of the source on, and perhaps
 * with some more that mean nothing, up to whole vectors. */
FN void vertical(const u64 *v, const struct Group *g, const struct Resampler *r, struct Lines *l, int plane,
		int row, int lo, int n, s16 *const *d)
{
	const s16 *coef = (const s16 *)table(v, r->vcoef) + (s64)row * r->vtaps;
	const s32 pos = ((const s32 *)table(v, r->vpos))[row];
	if (r->vtaps == 1) {
		load_row(d, src_row(v, plane, clamp32(pos, 0, g->sh - 1)), &g->s, (s16)g->scale, lo, n);
		return;
	}
	lines_under(l, lo, n, g->s.lanes, r->vtaps);
	if (r->vtaps <= SHORT_TAPS) v_short(v, g, l, plane, pos, coef, r->vtaps, d);
	else v_long(v, g, l, plane, pos, coef, r->vtaps, d);
}

/* window fills w[lane] with the columns [c0, c1) of a source row, repeating the border columns. */
PART void window(const u64 *v, const struct Group *g, const struct Resampler *r, struct Lines *l, int plane,
		int row, int c0, int c1, s16 (*w)[WINDOW_BUF])
{
	const int lo = clamp32(c0, 0, g->sw - 1), hi = clamp32(c1, lo + 1, g->sw);
	const int at = lo < c0 ? 0 : lo - c0, n = hi - lo;
	s16 *const d[COMPONENTS] = {w[0] + at, w[1] + at, w[2] + at, w[3] + at};
	vertical(v, g, r, l, plane, row, lo, n, d);
	for (int i = 0; i < l->used; i++) {
		for (int j = 0; j < at; j++) w[i][j] = w[i][at];
		for (int j = at + n; j < c1 - c0; j++) w[i][j] = w[i][at + n - 1];
	}
}

/* split deals samples out to `step` arrays, `pitch` apart; join is the reverse. Constant strides become
 * vector code. */
#define SPLIT(S) for (int j = 0; j < m; j++) for (int s = 0; s < S; s++) d[s * pitch + j] = w[S * j + s];
#if defined(__AVX2__) && !defined(__AVX512BW__)
/* split3: both halves of the registers hold 24 samples of their own, which lie in three registers so that
 * two blends pick an array's samples, and a shuffle sorts them. */
FN __m256i halves(const s16 *w)
{
	return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)w)),
		_mm_loadu_si128((const __m128i *)(w + 24)), 1);
}

#define PICK(i) 2 * (i), 2 * (i) + 1
#define ORDER(a, b, c, d, e, f, g, h)                                                              \
	_mm256_setr_epi8(PICK(a), PICK(b), PICK(c), PICK(d), PICK(e), PICK(f), PICK(g), PICK(h),       \
		PICK(a), PICK(b), PICK(c), PICK(d), PICK(e), PICK(f), PICK(g), PICK(h))
#define BLEND(x, y, z) _mm256_blend_epi16(_mm256_blend_epi16(x, y, 0x92), z, 0x24) /* samples 1 4 7; 2 5 */
FN void split3(s16 *__restrict d, int pitch, const s16 *__restrict w, int m)
{
	const __m256i first = ORDER(0, 3, 6, 1, 4, 7, 2, 5), second = ORDER(1, 4, 7, 2, 5, 0, 3, 6), third = ORDER(2, 5, 0, 3, 6, 1, 4, 7);
	for (int j = 0; j < m; j += 16, w += 48) {
		const __m256i a = halves(w), b = halves(w + 8), c = halves(w + 16);
		_mm256_storeu_si256((__m256i *)(d + j), _mm256_shuffle_epi8(BLEND(a, b, c), first));
		_mm256_storeu_si256((__m256i *)(d + pitch + j), _mm256_shuffle_epi8(BLEND(c, a, b), second));
		_mm256_storeu_si256((__m256i *)(d + 2 * pitch + j), _mm256_shuffle_epi8(BLEND(b, c, a), third));
	}
}
#else
FN void split3(s16 *__restrict d, int pitch, const s16 *__restrict w, int m) { SPLIT(3) }
#endif
PART void split(s16 *__restrict d, int pitch, const s16 *__restrict w, int step, int m)
{
	if (step == 2) { SPLIT(2) } else if (step == 3) { split3(d, pitch, w, m); } else { SPLIT(4) }
}

#define JOIN(P) for (int j = 0; j < m; j++) for (int s = 0; s < P; s++) o[P * j + s] = d[s * pitch + j];
PART void join(s16 *__restrict o, const s16 *__restrict d, int pitch, int phases, int m)
{
	if (phases == 2) { JOIN(2) } else if (phases == 3) { JOIN(3) } else { JOIN(4) }
}

/* h_phases: each phase is a filter with constant weights over every hstep-th sample. w[0] lies under
 * table entry x. */
PART void h_phases(const u64 *v, const struct Resampler *r, int x, const s16 *w, int n, s16 *o)
{
	enum { PITCH = ITEM + 64 };
	const s32 *pos = (const s32 *)table(v, r->hpos) + x;
	const int P = r->hphases, S = r->hstep, taps = r->htaps, row = (taps + 7) & ~7;
	const int groups = (n + P - 1) / P, m = groups + (pos[P - 1] - pos[0] + taps) / S + 1;
	_Alignas(64) s16 parts[MAX_PHASES * (2 * PITCH)], out[MAX_PHASES * PITCH];
	const int pitch = (m + 31) & ~31;
	if (S > 1) split(parts, pitch, w, S, m);
	for (int p = 0; p < P; p++) {
		const s16 *coef = (const s16 *)table(v, r->hrow) + (s64)(x + p) * row, *from[SWEEP];
		s16 *to = P == 1 ? o : out + p * PITCH;
		int part = (pos[p] - pos[0]) % S, at = (pos[p] - pos[0]) / S;
		for (int k = 0; k < taps; k += SWEEP) {
			const int t = min32(SWEEP, taps - k);
			for (int i = 0; i < t; i++) {
				from[i] = (S == 1 ? w : parts + part * pitch) + at;
				if (++part == S) { part = 0; at++; }
			}
			sweep(to, from, coef + k, t, k == 0, groups);
		}
	}
	if (P == 1) return;
	join(o, out, PITCH, P, n / P);
	for (int i = n / P * P; i < n; i++) o[i] = out[i % P * PITCH + i / P];
}

#if defined(__AVX512BW__)
/* h_near: 32 outputs at a time, while the samples under them fit into two registers. Returns how many
 * outputs it did. */
PART int h_near(const s16 *w, int base, const s32 *pos, const s16 *coef, int pitch, int taps, int n, s16 *o)
{
	const __m512i one = _mm512_set1_epi16(1);
	int i = 0;
	for (; i < n && pos[i + 31] - pos[i] + taps <= 64; i += 32) {
		const s16 *s = w + (pos[i] - base);
		const __m512i a = _mm512_loadu_si512(s), b = _mm512_loadu_si512(s + 32), p0 = _mm512_set1_epi32(pos[i]);
		__m256i lo = _mm512_cvtepi32_epi16(_mm512_sub_epi32(_mm512_loadu_si512(pos + i), p0));
		__m256i hi = _mm512_cvtepi32_epi16(_mm512_sub_epi32(_mm512_loadu_si512(pos + i + 16), p0));
		__m512i index = _mm512_inserti64x4(_mm512_castsi256_si512(lo), hi, 1), sum = _mm512_setzero_si512();
		for (int k = 0; k < taps; k++) {
			__m512i c = _mm512_loadu_si512(coef + (s64)k * pitch + i);
			sum = _mm512_add_epi16(sum, _mm512_mulhrs_epi16(_mm512_permutex2var_epi16(a, index, b), c));
			index = _mm512_add_epi16(index, one);
		}
		_mm512_storeu_si512(o + i, sum);
	}
	return min32(i, n);
}
#endif

#if defined(__SSSE3__)
/* h_rows: 8 outputs at a time, each from registers of 8 neighbouring samples, summed pairwise. */
FN __m128i h_row(const s16 *s, const s16 *c, int pitch)
{
	__m128i sum = _mm_mulhrs_epi16(_mm_loadu_si128((const __m128i *)s), _mm_loadu_si128((const __m128i *)c));
	for (int k = 8; k < pitch; k += 8)
		sum = _mm_add_epi16(sum, _mm_mulhrs_epi16(_mm_loadu_si128((const __m128i *)(s + k)),
				_mm_loadu_si128((const __m128i *)(c + k))));
	return sum;
}

PART void h_rows(const s16 *w, int base, const s32 *pos, const s16 *row, int taps, int n, s16 *o)
{
	const int pitch = (taps + 7) & ~7;
#define H_ROW(j) h_row(w + (pos[min32(i + j, n - 1)] - base), row + (s64)(i + j) * pitch, pitch)
	for (int i = 0; i < n; i += 8) {
		__m128i a = _mm_hadd_epi16(H_ROW(0), H_ROW(1)), b = _mm_hadd_epi16(H_ROW(2), H_ROW(3));
		__m128i c = _mm_hadd_epi16(H_ROW(4), H_ROW(5)), d = _mm_hadd_epi16(H_ROW(6), H_ROW(7));
		_mm_storeu_si128((__m128i *)(o + i), _mm_hadd_epi16(_mm_hadd_epi16(a, b), _mm_hadd_epi16(c, d)));
	}
#undef H_ROW
}
#endif

/* h_any: the general filter, for n outputs from table entry x on; w[0] is column base. */
PART void h_any(const u64 *v, const struct Resampler *r, int x, const s16 *w, int n, s16 *__restrict o)
{
	const s32 *pos = (const s32 *)table(v, r->hpos) + x;
	const s16 *coef = (const s16 *)table(v, r->hcoef) + x;
	const int taps = r->htaps, pitch = r->hpitch, base = pos[0];
	if (taps > SHORT_TAPS) {
		for (int i = 0; i < n; i++) {
			const s16 *s = w + (pos[i] - base);
			s32 sum = 1 << 14;
			for (int k = 0; k < taps; k++) sum += s[k] * coef[(s64)k * pitch + i];
			o[i] = (s16)(sum >> 15);
		}
		return;
	}
	int i = 0;
#if defined(__AVX512BW__)
	i = h_near(w, base, pos, coef, pitch, taps, n, o);
#endif
#if defined(__SSSE3__)
	const int rowpitch = (taps + 7) & ~7;
	if (i < n) h_rows(w, base, pos + i, (const s16 *)table(v, r->hrow) + (s64)(x + i) * rowpitch, taps, n - i, o + i);
#else
	for (; i < n; i++) {
		const s16 *s = w + (pos[i] - base);
		s32 sum = 0;
		for (int k = 0; k < taps; k++) sum += mulr(s[k], coef[(s64)k * pitch + i]);
		o[i] = (s16)sum;
	}
#endif
}

FN void horizontal(const u64 *v, const struct Resampler *r, int x, const s16 *w, int n, s16 *o)
{
	switch (r->hmode) {
	case H_SAME: for (int i = 0; i < n; i++) o[i] = w[i]; break;
	case H_PHASES: h_phases(v, r, x, w, n, o); break;
	default: h_any(v, r, x, w, n, o);
	}
}

/* windowed is how many of n outputs, whose first sample is pos[0], have room in one window and leave room
 * for two lines. One always does: the planner limits the taps. */
FN int windowed(const struct Lines *l, const s32 *pos, int taps, int lanes, int n)
{
	while (n > 1) {
		const int columns = pos[n - 1] + taps - pos[0];
		if (columns <= WINDOW && 2 * lanes * vectors(columns) <= l->room) break;
		n = (n + 1) / 2;
	}
	return n;
}

/* resample computes n outputs of each lane from (x, row) on. */
PART void resample(const u64 *v, const struct Group *g, struct Lines *l, int plane, int x, int n, int row,
		s16 *const *o)
{
	const struct Resampler *r = (const struct Resampler *)table(v, g->table);
	const s32 *pos = (const s32 *)table(v, r->hpos) + x;
	_Alignas(64) s16 w[COMPONENTS][WINDOW_BUF];
	for (int i = 0, m; i < n; i += m) {
		m = windowed(l, pos + i, r->htaps, g->s.lanes, n - i);
		window(v, g, r, l, plane, row, pos[i], pos[i + m - 1] + r->htaps, w);
		for (int k = 0; k < l->used; k++) horizontal(v, r, x + i, w[k], m, o[k] + i);
	}
}

#endif
