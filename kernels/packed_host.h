/* packed_host.h takes packed RGB apart and puts it together, on the host: pixels of three bytes (rgb24, bgr24)
 * and of four (rgba, rgb0). Included by samples_host.h only.
 *
 * With AVX2, 16 pixels of three bytes are three registers A, B and C of 16 bytes. Byte k of A is of component
 * k % 3, of B (k + 1) % 3, of C (k + 2) % 3; so each component has places of its own in each of them, and all its
 * 16 bytes fit into one register, from which two blends make or fill the three. Both halves of a 256-bit register
 * do that with 16 pixels of their own.
 */
#ifndef PINRING_PACKED_HOST_H
#define PINRING_PACKED_HOST_H

#if defined(__AVX2__)
#include <immintrin.h>

/* works_of stores 16 bytes as work values. */
FN void works_of(s16 *o, __m128i bytes, __m256i scale)
{
	_mm256_storeu_si256((__m256i *)o, _mm256_mullo_epi16(_mm256_cvtepu8_epi16(bytes), scale));
}

#define TWICE(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)                                      \
	_mm256_setr_epi8(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)

/* THIRD(k) chooses every third byte from k on. */
#define THIRD(k)                                                                                   \
	TWICE(-((k) == 0), -((k) == 1), -((k) == 2), -((k) == 0), -((k) == 1), -((k) == 2), -((k) == 0), -((k) == 1), \
		-((k) == 2), -((k) == 0), -((k) == 1), -((k) == 2), -((k) == 0), -((k) == 1), -((k) == 2), -((k) == 0))

/* of_three has every third byte of x from 0 on, of y from 1 on, of z from 2 on. */
FN __m256i of_three(__m256i x, __m256i y, __m256i z)
{
	return _mm256_blendv_epi8(_mm256_blendv_epi8(x, y, THIRD(1)), z, THIRD(2));
}

/* codes_of packs 32 codes into bytes, in order. */
FN __m256i codes_of(const s16 *p)
{
	const __m256i a = _mm256_loadu_si256((const __m256i *)p), b = _mm256_loadu_si256((const __m256i *)(p + 16));
	return _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), _MM_SHUFFLE(3, 1, 2, 0));
}

/* join_three_vectors returns how many pixels it did, whole vectors of them. */
FN int join_three_vectors(u8 *d, int n, const s16 *p, const s16 *q, const s16 *r)
{
	const __m256i first = TWICE(0, 11, 6, 1, 12, 7, 2, 13, 8, 3, 14, 9, 4, 15, 10, 5);
	const __m256i second = TWICE(5, 0, 11, 6, 1, 12, 7, 2, 13, 8, 3, 14, 9, 4, 15, 10);
	const __m256i third = TWICE(10, 5, 0, 11, 6, 1, 12, 7, 2, 13, 8, 3, 14, 9, 4, 15);
	int i = 0;
	for (; i + 32 <= n; i += 32, d += 96) {
		const __m256i x = _mm256_shuffle_epi8(codes_of(p + i), first);
		const __m256i y = _mm256_shuffle_epi8(codes_of(q + i), second);
		const __m256i z = _mm256_shuffle_epi8(codes_of(r + i), third);
		const __m256i a = of_three(x, y, z), b = of_three(y, z, x), c = of_three(z, x, y);
		_mm256_storeu_si256((__m256i *)d, _mm256_permute2x128_si256(a, b, 0x20));
		_mm256_storeu_si256((__m256i *)(d + 32), _mm256_blend_epi32(c, a, 0xf0));
		_mm256_storeu_si256((__m256i *)(d + 64), _mm256_permute2x128_si256(b, c, 0x31));
	}
	return i;
}

/* two_works_of stores 32 bytes as work values. */
FN void two_works_of(s16 *o, __m256i bytes, __m256i scale)
{
	works_of(o, _mm256_castsi256_si128(bytes), scale);
	works_of(o + 16, _mm256_extracti128_si256(bytes, 1), scale);
}

/* spread_three_vectors returns how many pixels it did, whole vectors of them. */
FN int spread_three_vectors(s16 *const *o, const u8 *s, s16 scale, int n)
{
	const __m256i first = TWICE(0, 3, 6, 9, 12, 15, 2, 5, 8, 11, 14, 1, 4, 7, 10, 13);
	const __m256i second = TWICE(1, 4, 7, 10, 13, 0, 3, 6, 9, 12, 15, 2, 5, 8, 11, 14);
	const __m256i third = TWICE(2, 5, 8, 11, 14, 1, 4, 7, 10, 13, 0, 3, 6, 9, 12, 15);
	const __m256i factor = _mm256_set1_epi16(scale);
	int i = 0;
	for (; i + 32 <= n; i += 32, s += 96) {
		const __m256i ab = _mm256_loadu_si256((const __m256i *)s), ca = _mm256_loadu_si256((const __m256i *)(s + 32));
		const __m256i bc = _mm256_loadu_si256((const __m256i *)(s + 64));
		const __m256i a = _mm256_blend_epi32(ab, ca, 0xf0), b = _mm256_permute2x128_si256(ab, bc, 0x21);
		const __m256i c = _mm256_blend_epi32(ca, bc, 0xf0);
		two_works_of(o[0] + i, _mm256_shuffle_epi8(of_three(a, c, b), first), factor);
		two_works_of(o[1] + i, _mm256_shuffle_epi8(of_three(b, a, c), second), factor);
		two_works_of(o[2] + i, _mm256_shuffle_epi8(of_three(c, b, a), third), factor);
	}
	return i;
}

/* sorted_fours gives 8 pixels as 8 bytes of each component, one after the other. */
FN __m256i sorted_fours(const u8 *s)
{
	const __m256i by_lane = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15,
		0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
	const __m256i across = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
	return _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(_mm256_loadu_si256((const __m256i *)s), by_lane), across);
}

/* spread_four_vectors returns how many pixels it did, whole vectors of them. */
FN int spread_four_vectors(s16 *const *o, const u8 *s, s16 scale, int n)
{
	const __m256i factor = _mm256_set1_epi16(scale);
	int i = 0;
	for (; i + 16 <= n; i += 16, s += 64) {
		const __m256i a = sorted_fours(s), b = sorted_fours(s + 32);
		const __m256i even = _mm256_unpacklo_epi64(a, b), odd = _mm256_unpackhi_epi64(a, b);
		works_of(o[0] + i, _mm256_castsi256_si128(even), factor);
		works_of(o[1] + i, _mm256_castsi256_si128(odd), factor);
		works_of(o[2] + i, _mm256_extracti128_si256(even, 1), factor);
		works_of(o[3] + i, _mm256_extracti128_si256(odd, 1), factor);
	}
	return i;
}

#else

FN int join_three_vectors(u8 *d, int n, const s16 *p, const s16 *q, const s16 *r)
{
	(void)d, (void)n, (void)p, (void)q, (void)r;
	return 0;
}

FN int spread_three_vectors(s16 *const *o, const u8 *s, s16 scale, int n)
{
	(void)o, (void)s, (void)scale, (void)n;
	return 0;
}

FN int spread_four_vectors(s16 *const *o, const u8 *s, s16 scale, int n)
{
	(void)o, (void)s, (void)scale, (void)n;
	return 0;
}

#endif

/* join_threes puts n pixels together whose codes are from 0 to 255. */
PART void join_threes(u8 *__restrict d, int n, const s16 *p, const s16 *q, const s16 *r)
{
	for (int i = join_three_vectors(d, n, p, q, r); i < n; i++) {
		d[3 * i] = (u8)p[i];
		d[3 * i + 1] = (u8)q[i];
		d[3 * i + 2] = (u8)r[i];
	}
}

/* spread_threes takes n pixels apart, to work values. */
PART void spread_threes(s16 *const *o, const u8 *s, s16 scale, int n)
{
	s16 *__restrict p = o[0], *__restrict q = o[1], *__restrict r = o[2];
	for (int i = spread_three_vectors(o, s, scale, n); i < n; i++) {
		p[i] = work(s[3 * i], scale);
		q[i] = work(s[3 * i + 1], scale);
		r[i] = work(s[3 * i + 2], scale);
	}
}

/* spread_fours takes n pixels apart, to work values. */
PART void spread_fours(s16 *const *o, const u8 *s, s16 scale, int n)
{
	s16 *__restrict p = o[0], *__restrict q = o[1], *__restrict r = o[2], *__restrict t = o[3];
	for (int i = spread_four_vectors(o, s, scale, n); i < n; i++) {
		p[i] = work(s[4 * i], scale);
		q[i] = work(s[4 * i + 1], scale);
		r[i] = work(s[4 * i + 2], scale);
		t[i] = work(s[4 * i + 3], scale);
	}
}

#endif
