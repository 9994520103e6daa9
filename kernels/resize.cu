/* resize.cu: what planes.cu does, for passes that change the size. An item is four output pixels of one
 * row, so that neighbours share their columns.
 *
 * Device, where a filter is short and samples lie plainly (one component a plane, no shift): the
 * vertical filter runs over the SPAN columns under the four outputs, in registers; then each output is
 * the sum of all SPAN columns with weights that are zero where its filter does not reach (spans.go).
 * Adding zeros changes nothing, so the bytes are those of planes.cu. Elsewhere, and on the host, the
 * code is that of planes.cu.
 */
#include "resample.h"

#ifdef DEVICE_BUILD

enum { OUTPUTS = 4, SPAN = 12 };

/* add_row adds a row of SPAN samples, weighted, to the columns. FETCH(c) is sample c. */
#define ADD_ROW(FETCH) for (int c = 0; c < SPAN; c++) m[c] += mulr(work((s32)(FETCH), scale), weight);

/* words fetches 12 bytes from any address as three aligned words and the shifts that join them. It
 * reads from 3 bytes before to 4 bytes after them. */
FN void words(const u8 *s, u32 *o)
{
	const u32 *w = (const u32 *)((u64)s & ~(u64)3);
	const u32 shift = 8 * (u32)((u64)s & 3);
	u32 low = w[0];
	for (int i = 0; i < SPAN / 4; i++) {
		const u32 next = w[i + 1];
		o[i] = (u32)(((u64)next << 32 | low) >> shift);
		low = next;
	}
}

/* columns is the vertical filter of SPAN columns from c0 on. */
FN void columns(const u64 *v, const struct Group *g, const struct Resampler *r, int plane, int c0, int row, s32 *m)
{
	const s16 *coef = (const s16 *)table(v, r->vcoef) + (s64)row * r->vtaps;
	const s32 pos = ((const s32 *)table(v, r->vpos))[row];
	const s16 scale = (s16)g->scale;
	const int inside = c0 >= 4 && c0 + SPAN + 4 <= g->sw;
	for (int c = 0; c < SPAN; c++) m[c] = 0;
	ROLLED
	for (int k = 0; k < r->vtaps; k++) {
		const u8 *s = src_row(v, plane, clamp32(pos + k, 0, g->sh - 1));
		const s16 weight = coef[k];
		if (inside && g->s.bytes == 1) {
			u32 w[SPAN / 4];
			words(s + c0, w);
			ADD_ROW((u8)(w[c / 4] >> 8 * (c % 4)))
		} else if (g->s.bytes == 1) {
			ADD_ROW(s[clamp32(c0 + c, 0, g->sw - 1)])
		} else {
			ADD_ROW(((const u16 *)s)[clamp32(c0 + c, 0, g->sw - 1)])
		}
	}
	for (int c = 0; c < SPAN; c++) m[c] = (s16)m[c];
}

/* across is the horizontal filter of one output over the columns: weights are SPAN s16, 8-byte aligned. */
FN s16 across(const s32 *m, const u64 *weights)
{
	s32 sum = 0;
	for (int i = 0; i < SPAN / 4; i++) {
		const u64 w = weights[i];
		for (int c = 0; c < 4; c++) sum += mulr((s16)m[4 * i + c], (s16)(w >> 16 * c));
	}
	return (s16)sum;
}

/* resize_plane makes the outputs of component c from x on, stored in one word where that can be. */
FN void resize_plane(const u64 *v, const struct Group *g, const struct Resampler *r, int c, int x, int row)
{
	const u64 *weights = (const u64 *)table(v, r->hspan) + (s64)x * (SPAN / 4);
	s32 m[SPAN];
	columns(v, g, r, g->s.plane[c], ((const s32 *)table(v, r->hpos))[x], row, m);
	u8 *d = dst_row(v, g->d.plane[c], row) + x;
	u32 word = 0;
	const int whole = g->d.bytes == 1 && x + OUTPUTS <= g->w && ((u64)d & 3) == 0;
	for (int i = 0; i < OUTPUTS; i++) {
		if (x + i >= g->w) break;
		const s32 code = finish_one(v, g, c, across(m, weights + i * (SPAN / 4)));
		if (whole) word |= (u32)code << 8 * i;
		else put_code(v, &g->d, c, x + i, row, code);
	}
	if (whole) *(u32 *)d = word;
}

/* in_spans reports whether the device's way goes for a component. */
FN int in_spans(const struct Group *g, const struct Resampler *r)
{
	return r->hspan && r->vtaps > 1 && r->vtaps <= SHORT_TAPS && g->s.lanes == 1 && g->d.lanes == 1 && g->s.shift == 0;
}

FN void resize_part(const u64 *v, const struct Group *g, int x, int row)
{
	const struct Resampler *r = (const struct Resampler *)table(v, g->table);
	const int spans = g->table && in_spans(g, r);
	if (g->copy) {
		copy_group(v, g, x, min32(OUTPUTS, g->w - x), row);
		return;
	}
	ROLLED
	for (int c = 0; c < COMPONENTS; c++) {
		if (g->d.plane[c] < 0) continue;
		if (spans && g->s.plane[c] >= 0) {
			resize_plane(v, g, r, c, x, row);
			continue;
		}
		ROLLED
		for (int i = 0; i < OUTPUTS; i++)
			if (x + i < g->w)
				put_code(v, &g->d, c, x + i, row, finish_one(v, g, c, component(v, g, c, x + i, row)));
	}
}

FN void resize_body(const u64 *v, int x, int row)
{
	const struct Params *p = params(v);
	x *= OUTPUTS;
	resize_part(v, &p->g[0], x, row);
	if (x < p->g[1].w && (row & ((1 << p->rowshift) - 1)) == 0)
		resize_part(v, &p->g[1], x, row >> p->rowshift);
}

KERNEL(resize, resize_body)

#else

RESAMPLING(resize, planes_body)

#endif
