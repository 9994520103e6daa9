/* turn_host.h is the host's half of turn.cu: rows, and blocks of 16 x 16, 8 x 8 or single units.
 * Included by turn.cu only. */
#ifndef PINRING_TURN_HOST_H
#define PINRING_TURN_HOST_H

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/* Strip is a band of output rows of one plane. From one output column to the next the source moves by
 * `along` bytes, from one output row to the next by `down` bytes. */
struct Strip {
	const u8 *src; /* of output unit (0, y0) */
	s64 along, down, stride;
	u8 *dst;
	int w, rows, unit;
};

typedef struct { u8 b[3]; } unit3;
typedef struct { u8 b[6]; } unit6;

/* strip_units moves the columns [x0, x1) one unit at a time. */
#define STRIP_UNITS(T)                                                                             \
	for (int y = 0; y < s->rows; y++) {                                                            \
		const u8 *from = s->src + y * s->down;                                                     \
		u8 *to = s->dst + y * s->stride;                                                           \
		for (int x = x0; x < x1; x++)                                                              \
			__builtin_memcpy(to + x * (s64)sizeof(T), from + x * s->along, sizeof(T));             \
	}
PART void strip_units(const struct Strip *s, int x0, int x1)
{
	switch (s->unit) {
	case 1: STRIP_UNITS(u8) break;
	case 2: STRIP_UNITS(u16) break;
	case 3: STRIP_UNITS(unit3) break;
	case 4: STRIP_UNITS(u32) break;
	case 6: STRIP_UNITS(unit6) break;
	default: STRIP_UNITS(u64)
	}
}

#if defined(__SSE2__)

/* SHUFFLE is one round of a transposition of N registers of N lanes: log2(N) rounds make it. */
#define SHUFFLE(N, LO, HI, a, b)                                                                   \
	for (int i = 0; i < (N) / 2; i++) { b[2 * i] = LO(a[i], a[i + (N) / 2]); b[2 * i + 1] = HI(a[i], a[i + (N) / 2]); }

/* Both turn a block whose output begins at column x and row y of the strip. Source rows are the
 * output's columns; when the source runs backwards, so do the output's rows. */
FN void turn_16x16(const struct Strip *s, int x)
{
	__m128i a[16], b[16];
	const s64 first = s->down < 0 ? 15 * s->down : 0;
	for (int i = 0; i < 16; i++) a[i] = _mm_loadu_si128((const __m128i *)(s->src + (x + i) * s->along + first));
	SHUFFLE(16, _mm_unpacklo_epi8, _mm_unpackhi_epi8, a, b)
	SHUFFLE(16, _mm_unpacklo_epi8, _mm_unpackhi_epi8, b, a)
	SHUFFLE(16, _mm_unpacklo_epi8, _mm_unpackhi_epi8, a, b)
	SHUFFLE(16, _mm_unpacklo_epi8, _mm_unpackhi_epi8, b, a)
	for (int i = 0; i < 16; i++)
		_mm_storeu_si128((__m128i *)(s->dst + (s->down < 0 ? 15 - i : i) * s->stride + x), a[i]);
}

FN void turn_8x8(const struct Strip *s, int x, int y)
{
	__m128i a[8], b[8];
	const s64 first = (s->down < 0 ? y + 7 : y) * s->down;
	for (int i = 0; i < 8; i++) a[i] = _mm_loadu_si128((const __m128i *)(s->src + (x + i) * s->along + first));
	SHUFFLE(8, _mm_unpacklo_epi16, _mm_unpackhi_epi16, a, b)
	SHUFFLE(8, _mm_unpacklo_epi16, _mm_unpackhi_epi16, b, a)
	SHUFFLE(8, _mm_unpacklo_epi16, _mm_unpackhi_epi16, a, b)
	for (int i = 0; i < 8; i++)
		_mm_storeu_si128((__m128i *)(s->dst + (y + (s->down < 0 ? 7 - i : i)) * s->stride + 2 * x), b[i]);
}

#endif

/* strip_blocks turns the columns that fill whole blocks and returns how many those are. */
PART int strip_blocks(const struct Strip *s)
{
	int x = 0;
#if defined(__SSE2__)
	if (s->rows != TURN_ROWS) return 0;
	if (s->unit == 1)
		for (; x + 16 <= s->w; x += 16) turn_16x16(s, x);
	else if (s->unit == 2)
		for (; x + 8 <= s->w; x += 8) { turn_8x8(s, x, 0); turn_8x8(s, x, 8); }
#endif
	return x;
}

/* strip_transposed works block by block, so that the source's lines stay in the cache. */
FN void strip_transposed(const struct Strip *s)
{
	for (int x = strip_blocks(s); x < s->w; x += TURN_ROWS) strip_units(s, x, min32(x + TURN_ROWS, s->w));
}

FN void strip_straight(const struct Strip *s)
{
	if (s->along < 0) {
		strip_units(s, 0, s->w);
		return;
	}
	for (int y = 0; y < s->rows; y++) __builtin_memcpy(s->dst + y * s->stride, s->src + y * s->down, (u64)s->w * (u64)s->unit);
}

void VARIANT(turn)(const u64 *v, int row0, int row1)
{
	const struct Turn *t = turn_of(v);
	for (int row = row0; row < row1; row++) {
		const int p = turn_plane(t, row), y = (row - t->p[p].first) * TURN_ROWS;
		const struct TurnPlane *q = &t->p[p];
		if (y >= q->h) continue;
		const s64 unit = turn_unit(q), mx = t->mirror_x ? -unit : unit;
		const s64 stride = (s64)v[CELL_SRC_STRIDE + p], my = t->mirror_y ? -stride : stride;
		const struct Strip s = {turn_from(v, t, p, 0, y), t->transposed ? my : mx, t->transposed ? mx : my,
			(s64)v[CELL_DST_STRIDE + p], dst_row(v, p, y), q->w, min32(TURN_ROWS, q->h - y), (int)unit};
		if (t->transposed) strip_transposed(&s);
		else strip_straight(&s);
	}
}

#endif
