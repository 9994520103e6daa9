/* resample.h computes resampled work values: vertical filter first, then horizontal.
 *
 * Device: each thread sums the rectangle of source samples under its output sample, column by
 * column. Host: the vertical filter runs over the columns that a chunk of outputs needs, into a
 * window on the stack; the horizontal filter runs over the window. Both compute the same sums with
 * the same roundings in the same order, and never read outside the picture.
 */
#ifndef PINRING_RESAMPLE_H
#define PINRING_RESAMPLE_H

#include "samples.h"

#ifdef DEVICE_BUILD

/* RESAMPLING is KERNEL for bodies that may resample, void body(const u64 *v, struct Memory *m, int x, int
 * row). Here they have nothing to remember: a thread knows its own pixel only. */
struct Memory;
#define RESAMPLING(name, body)                                                                     \
	FN void name##_alone(const u64 *v, int x, int row) { body(v, (struct Memory *)0, x, row); }      \
	KERNEL(name, name##_alone)

FN int outputs(const struct Memory *m, int w, int x)
{
	(void)m;
	return chunk(w, x);
}

/* column is the vertical filter at one sample of the rows; at counts samples, lanes included. */
FN s16 column(const u64 *v, const struct Group *g, int plane, const s16 *coef, int taps, int pos, int at)
{
	if (taps == 1) return plain(src_row(v, plane, clamp32(pos, 0, g->sh - 1)), &g->s, (s16)g->scale, at);
	s32 sum = taps > SHORT_TAPS ? 1 << 14 : 0;
	for (int k = 0; k < taps; k++) {
		s16 s = plain(src_row(v, plane, clamp32(pos + k, 0, g->sh - 1)), &g->s, (s16)g->scale, at);
		sum += taps > SHORT_TAPS ? s * coef[k] : mulr(s, coef[k]);
	}
	return (s16)(taps > SHORT_TAPS ? sum >> 15 : sum);
}

/* lane_at is one component of the output sample (x, row). */
FN s16 lane_at(const u64 *v, const struct Group *g, const struct Resampler *r, int plane, int lane, int x, int row)
{
	const s16 *vcoef = (const s16 *)table(v, r->vcoef) + (s64)row * r->vtaps;
	const s32 vpos = ((const s32 *)table(v, r->vpos))[row];
	const s16 *hcoef = (const s16 *)table(v, r->hcoef) + x;
	const s32 hpos = ((const s32 *)table(v, r->hpos))[x];
	const int taps = r->htaps, lanes = g->s.lanes;
	if (taps == 1)
		return column(v, g, plane, vcoef, r->vtaps, vpos, clamp32(hpos, 0, g->sw - 1) * lanes + lane);
	s32 sum = taps > SHORT_TAPS ? 1 << 14 : 0;
	for (int k = 0; k < taps; k++) {
		int c = clamp32(hpos + k, 0, g->sw - 1);
		s16 m = column(v, g, plane, vcoef, r->vtaps, vpos, c * lanes + lane);
		s16 h = hcoef[(s64)k * r->hpitch];
		sum += taps > SHORT_TAPS ? m * h : mulr(m, h);
	}
	return (s16)(taps > SHORT_TAPS ? sum >> 15 : sum);
}

/* component is component c of the output sample (x, row), from whatever the source has. */
FN s16 component(const u64 *v, const struct Group *g, int c, int x, int row)
{
	const int p = g->s.plane[c], lane = g->s.lane[c];
	if (p < 0) return c == ALPHA ? WORK_OPAQUE : WORK_MID;
	if (g->table) return lane_at(v, g, (const struct Resampler *)table(v, g->table), p, lane, x, row);
	return plain(src_row(v, p, row), &g->s, (s16)g->scale, x * g->s.lanes + lane);
}

/* load fetches the components that source or output have. One loop holds the code once; the inner
 * one keeps b in registers. */
FN void load(const u64 *v, struct Memory *m, const struct Group *g, int x, int n, int row, s16 (*b)[BUF])
{
	(void)m, (void)n;
	ROLLED
	for (int c = 0; c < COMPONENTS; c++) {
		if (g->s.plane[c] < 0 && g->d.plane[c] < 0) continue;
		const s16 s = component(v, g, c, x, row);
		for (int k = 0; k < COMPONENTS; k++) b[k][0] = c == k ? s : b[k][0];
	}
}

#else

#include "lines_host.h"
#include "resample_host.h"

/* RESAMPLING is KERNEL for bodies that may resample, void body(const u64 *v, struct Memory *m, int x, int
 * row). If one does, its rows are computed chunk by chunk, downwards, with what was fetched for the row
 * above in memory. */
#define RESAMPLING(name, body)                                                                     \
	void VARIANT(name)(const u64 *v, int row0, int row1)                                           \
	{                                                                                              \
		const int w = params(v)->g[0].w;                                                           \
		struct Memory m;                                                                           \
		if (remember(v, &m)) {                                                                     \
			for (int x = 0; x < w; x += m.item)                                                    \
				for (int row = row0; row < row1; row++) body(v, &m, x, row);                       \
		} else {                                                                                   \
			for (int row = row0; row < row1; row++)                                                \
				for (int x = 0; x < w; x += m.item) body(v, &m, x, row);                           \
		}                                                                                          \
	}

/* outputs is how many samples a body handles from x on, in rows of w > x samples. */
FN int outputs(const struct Memory *m, int w, int x) { return min32(m->item, w - x); }

FN void load_lanes(const u64 *v, struct Memory *m, const struct Group *g, int plane, int x, int n, int row,
		s16 *const *o)
{
	struct Lines *l = &m->of[g - params(v)->g][plane];
	if (g->table) resample(v, g, l, plane, x, n, row, o);
	else load_row(o, src_row(v, plane, row), &g->s, (s16)g->scale, x, n);
}

FN void fill(s16 *b, s16 value, int n)
{
	for (int i = 0; i < n; i++) b[i] = value;
}

/* load fetches n work values of each component that source or output have, from output position
 * (x, row) on. Chroma that the source lacks is filled in by the group of chroma. */
PART void load(const u64 *v, struct Memory *m, const struct Group *g, int x, int n, int row, s16 (*b)[BUF])
{
	const struct Where *w = &g->s;
	s16 unused[BUF];
	s16 *o[COMPONENTS] = {unused, unused, unused, unused};
	for (int c = 0; c < COMPONENTS; c++) {
		if (w->plane[c] < 0) {
			if (g->d.plane[c] >= 0 && (c == ALPHA || g->sw == 0)) fill(b[c], c == ALPHA ? WORK_OPAQUE : WORK_MID, n);
			continue;
		}
		o[w->lane[c]] = b[c];
		if (w->lanes == 1) load_lanes(v, m, g, w->plane[c], x, n, row, o);
	}
	if (w->lanes > 1) load_lanes(v, m, g, packed_plane(w), x, n, row, o);
}

#endif

#endif
