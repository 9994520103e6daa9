/* tone.h changes codes one by one: a line, or a table. Which, and with what constants, the planner has
 * decided (tone.go). eq is made of them.
 */
#ifndef PINRING_TONE_H
#define PINRING_TONE_H

#include "params.h"

/* line is (code*mul >> 12) + add, clamped. The shape is the one that GCC turns into one
 * multiplication of 16-bit lanes (pmulhw): code << 4 fits for codes of up to 11 bits. */
FN s16 line(s16 code, s16 mul, s16 add, s16 max)
{
	s16 t = (s16)((s16)(((s32)(s16)(code << 4) * mul) >> 16) + add);
	t = t < 0 ? 0 : t;
	return t > max ? max : t;
}

PART void tone_line(const struct Tone *t, s16 *b, int max, int flip, int n)
{
	const s16 mul = (s16)t->mul, add = (s16)t->add, top = (s16)max, f = (s16)flip;
	for (int i = 0; i < n; i++) b[i] = line(b[i], mul, add, top) ^ f;
}

PART void tone_table(const u64 *v, const struct Tone *t, s16 *b, int flip, int n)
{
	const u16 *__restrict lut = (const u16 *)table(v, t->lut);
	for (int i = 0; i < n; i++) b[i] = (s16)(lut[(u16)b[i]] ^ flip);
}

FN void tone(const u64 *v, const struct Tone *t, s16 *b, int max, int flip, int n)
{
	if (t->kind == TONE_LINE) tone_line(t, b, max, flip, n);
	else if (t->kind == TONE_TABLE) tone_table(v, t, b, flip, n);
}

/* tone_code is the same for one code of any depth. */
FN s32 tone_code(const u64 *v, const struct Tone *t, s32 code, s32 max)
{
	if (t->kind == TONE_LINE) return line((s16)code, (s16)t->mul, (s16)t->add, (s16)max);
	if (t->kind == TONE_TABLE) return ((const u16 *)table(v, t->lut))[code];
	return code;
}

/* The same from bytes to bytes, for 8-bit samples that nothing else happens to. */
PART void tone_bytes_line(const struct Tone *t, u8 *__restrict d, const u8 *__restrict s, int x, int n, int flip)
{
	const s16 mul = (s16)t->mul, add = (s16)t->add, f = (s16)flip;
	for (int i = x; i < x + n; i++) d[i] = (u8)(line(s[i], mul, add, 255) ^ f);
}

PART void tone_bytes_table(const u64 *v, const struct Tone *t, u8 *__restrict d, const u8 *__restrict s, int x,
		int n, int flip)
{
	const u16 *__restrict lut = (const u16 *)table(v, t->lut);
	for (int i = x; i < x + n; i++) d[i] = (u8)(lut[s[i]] ^ flip);
}

#endif
