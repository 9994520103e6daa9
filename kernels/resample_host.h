/* resample_host.h is the host's half of resample.h: windows of vertically filtered columns, then
 * horizontal filters over the window. Included by resample.h only. */
#ifndef PINRING_RESAMPLE_HOST_H
#define PINRING_RESAMPLE_HOST_H

#if defined(__SSSE3__)
#include <immintrin.h>
#endif

/* A window holds the columns under a chunk of outputs; it stays in the first-level cache. */
#define WINDOW 2048
#define WINDOW_BUF (WINDOW + 64)

/* Vertical filter, short: up to 8 taps a sweep, sums of rounded 16-bit products. */
#define V_TAP(k) + mulr(work(V_CODE(p[k][i]), scale), c[k])
#define V_LOOP(init, taps)                                                                         \
	for (int i = 0; i < count; i++) d[i] = (s16)(init taps);                                       \
	break;
#define V_SWEEP(init)                                                                              \
	switch (taps) {                                                                                \
	case 2: V_LOOP(init, V_TAP(0) V_TAP(1))                                                        \
	case 4: V_LOOP(init, V_TAP(0) V_TAP(1) V_TAP(2) V_TAP(3))                                      \
	case 6: V_LOOP(init, V_TAP(0) V_TAP(1) V_TAP(2) V_TAP(3) V_TAP(4) V_TAP(5))                    \
	default:                                                                                       \
		V_LOOP(init, V_TAP(0) V_TAP(1) V_TAP(2) V_TAP(3) V_TAP(4) V_TAP(5) V_TAP(6) V_TAP(7))      \
	}
#define DEFINE_VERTICAL(NAME, T)                                                                   \
	PART void v_sweep_##NAME(s16 *__restrict d, const u8 *const *rows, const s16 *coef, int taps,    \
			int first, s16 scale, u16 keep, int count)                                               \
	{                                                                                              \
		const T *__restrict p[8];                                                                  \
		s16 c[8];                                                                                  \
		(void)keep;                                                                                \
		for (int k = 0; k < 8; k++) { p[k] = (const T *)rows[k < taps ? k : 0]; c[k] = k < taps ? coef[k] : 0; } \
		if (first) V_SWEEP(0) else V_SWEEP(d[i])                                                   \
	}                                                                                              \
	PART void v_one_##NAME(s16 *__restrict d, const T *__restrict p, s16 scale, u16 keep, int count)   \
	{                                                                                              \
		(void)keep;                                                                                \
		for (int i = 0; i < count; i++) d[i] = work(V_CODE(p[i]), scale);                         \
	}                                                                                              \
	PART void v_add_##NAME(s32 *__restrict d, const T *__restrict p, s16 c, s16 scale, u16 keep, int count) \
	{                                                                                              \
		(void)keep;                                                                                \
		for (int i = 0; i < count; i++) d[i] += work(V_CODE(p[i]), scale) * c;                    \
	}
#define V_CODE(s) (s)
DEFINE_VERTICAL(u8, u8)
DEFINE_VERTICAL(u16, u16)
#undef V_CODE
#define V_CODE(s) high((s), keep)
DEFINE_VERTICAL(high, u16)

#define V_CALL(NAME, ...)                                                                          \
	do {                                                                                           \
		if (g->s.bytes == 1) NAME##_u8(__VA_ARGS__);                                               \
		else if (g->s.shift == 0) NAME##_u16(__VA_ARGS__);                                         \
		else NAME##_high(__VA_ARGS__);                                                             \
	} while (0)

/* foresee fetches the rows that the next output row will need for the first time into the cache: a
 * decoded picture is larger than the caches near a core, and segments of rows are too short for the
 * processor to foresee by itself. */
FN void foresee(const u64 *v, const struct Group *g, int plane, int from, int to, s64 offset, int bytes)
{
	for (int y = max32(from, 0); y < min32(to, g->sh); y++)
		for (int b = 0; b < bytes; b += 64) __builtin_prefetch(src_row(v, plane, y) + offset + b);
}

/* vertical filters count samples, lanes included, from sample `first` of the rows on. */
FN void vertical(const u64 *v, const struct Group *g, const struct Resampler *r, int plane, int row,
		int first, int count, s16 *d)
{
	const s16 *coef = (const s16 *)table(v, r->vcoef) + (s64)row * r->vtaps;
	const s32 pos = ((const s32 *)table(v, r->vpos))[row];
	const s32 next = ((const s32 *)table(v, r->vpos))[min32(row + 1, g->h - 1)];
	const int taps = r->vtaps;
	const s16 scale = (s16)g->scale;
	const u16 keep = (u16)(1 << (16 - g->s.shift));
	const s64 offset = (s64)first * g->s.bytes;
	foresee(v, g, plane, pos + taps, next + taps, offset, count * g->s.bytes);
#define ROW(k) (src_row(v, plane, clamp32(pos + (k), 0, g->sh - 1)) + offset)
	if (taps == 1) {
		V_CALL(v_one, d, (const void *)ROW(0), scale, keep, count);
	} else if (taps <= SHORT_TAPS) {
		for (int k = 0; k < taps; k += 8) {
			const int m = min32(8, taps - k);
			const u8 *rows[8];
			for (int j = 0; j < 8; j++) rows[j] = ROW(k + min32(j, m - 1));
			V_CALL(v_sweep, d, rows, coef + k, m, k == 0, scale, keep, count);
		}
	} else {
		s32 acc[COMPONENTS * WINDOW];
		for (int i = 0; i < count; i++) acc[i] = 1 << 14;
		for (int k = 0; k < taps; k++) V_CALL(v_add, acc, (const void *)ROW(k), coef[k], scale, keep, count);
		for (int i = 0; i < count; i++) d[i] = (s16)(acc[i] >> 15);
	}
#undef ROW
}

/* unmix splits interleaved work values. */
FN void unmix(const s16 *__restrict m, int lanes, int at, int n, s16 (*__restrict w)[WINDOW_BUF])
{
	s16 *__restrict p = w[0] + at, *__restrict q = w[1] + at, *__restrict r = w[2] + at, *__restrict s = w[3] + at;
	if (lanes == 2)
		for (int i = 0; i < n; i++) { p[i] = m[2 * i]; q[i] = m[2 * i + 1]; }
	else if (lanes == 3)
		for (int i = 0; i < n; i++) { p[i] = m[3 * i]; q[i] = m[3 * i + 1]; r[i] = m[3 * i + 2]; }
	else
		for (int i = 0; i < n; i++) { p[i] = m[4 * i]; q[i] = m[4 * i + 1]; r[i] = m[4 * i + 2]; s[i] = m[4 * i + 3]; }
}

/* window fills w[lane] with the columns [c0, c1) of a source row, repeating the border columns. */
PART void window(const u64 *v, const struct Group *g, const struct Resampler *r, int plane, int row,
		int c0, int c1, s16 (*w)[WINDOW_BUF])
{
	const int lo = clamp32(c0, 0, g->sw - 1), hi = clamp32(c1, lo + 1, g->sw);
	const int lanes = g->s.lanes, at = lo < c0 ? 0 : lo - c0, n = hi - lo;
	if (lanes == 1) {
		vertical(v, g, r, plane, row, lo, n, w[0] + at);
	} else {
		s16 mixed[COMPONENTS * WINDOW];
		vertical(v, g, r, plane, row, lo * lanes, n * lanes, mixed);
		unmix(mixed, lanes, at, n, w);
	}
	for (int l = 0; l < lanes; l++) {
		for (int i = 0; i < at; i++) w[l][i] = w[l][at];
		for (int i = at + n; i < c1 - c0; i++) w[l][i] = w[l][at + n - 1];
	}
}

/* h_sweep: o[j] is the sum over k of p[k][j]*c[k], up to 8 taps a sweep. */
#define H_TAP(k) + mulr(p[k][j], c[k])
#define H_LOOP(init, taps)                                                                         \
	for (int j = 0; j < n; j++) o[j] = (s16)(init taps);                                           \
	break;
#define H_SWEEP(init)                                                                              \
	switch (taps) {                                                                                \
	case 2: H_LOOP(init, H_TAP(0) H_TAP(1))                                                        \
	case 4: H_LOOP(init, H_TAP(0) H_TAP(1) H_TAP(2) H_TAP(3))                                      \
	case 6: H_LOOP(init, H_TAP(0) H_TAP(1) H_TAP(2) H_TAP(3) H_TAP(4) H_TAP(5))                    \
	default:                                                                                       \
		H_LOOP(init, H_TAP(0) H_TAP(1) H_TAP(2) H_TAP(3) H_TAP(4) H_TAP(5) H_TAP(6) H_TAP(7))      \
	}
PART void h_sweep(s16 *__restrict o, const s16 *const *from, const s16 *coef, int taps, int first, int n)
{
	const s16 *__restrict p[8];
	s16 c[8];
	for (int k = 0; k < 8; k++) { p[k] = from[k < taps ? k : 0]; c[k] = k < taps ? coef[k] : 0; }
	if (first) H_SWEEP(0) else H_SWEEP(o[j])
}

/* split deals samples out to `step` arrays, `pitch` apart; join is the reverse. Constant strides become
 * vector code. */
#define SPLIT(S) for (int j = 0; j < m; j++) for (int s = 0; s < S; s++) d[s * pitch + j] = w[S * j + s];
PART void split(s16 *__restrict d, int pitch, const s16 *__restrict w, int step, int m)
{
	if (step == 2) { SPLIT(2) } else if (step == 3) { SPLIT(3) } else { SPLIT(4) }
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
	s16 parts[MAX_PHASES * (2 * PITCH)], out[MAX_PHASES * PITCH];
	const int pitch = (m + 31) & ~31;
	if (S > 1) split(parts, pitch, w, S, m);
	for (int p = 0; p < P; p++) {
		const s16 *coef = (const s16 *)table(v, r->hrow) + (s64)(x + p) * row, *from[8];
		s16 *to = P == 1 ? o : out + p * PITCH;
		for (int k = 0; k < taps; k += 8) {
			const int t = min32(8, taps - k);
			for (int i = 0; i < t; i++) {
				const int at = pos[p] - pos[0] + k + i;
				from[i] = S == 1 ? w + at : parts + at % S * pitch + at / S;
			}
			h_sweep(to, from, coef + k, t, k == 0, groups);
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

/* resample computes n outputs of each lane from (x, row) on. The chunk is split where its window
 * would be too wide; a single output always fits (the planner limits the taps). */
PART void resample(const u64 *v, const struct Group *g, int plane, int x, int n, int row, s16 *const *o)
{
	const struct Resampler *r = (const struct Resampler *)table(v, g->table);
	const s32 *pos = (const s32 *)table(v, r->hpos) + x;
	s16 w[COMPONENTS][WINDOW_BUF];
	for (int i = 0, m; i < n; i += m) {
		m = n - i;
		while (m > 1 && pos[i + m - 1] + r->htaps - pos[i] > WINDOW) m = (m + 1) / 2;
		window(v, g, r, plane, row, pos[i], pos[i + m - 1] + r->htaps, w);
		for (int l = 0; l < g->s.lanes; l++) horizontal(v, r, x + i, w[l], m, o[l] + i);
	}
}

#endif
