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

FN s16 sample(const u8 *row, int bytes, s16 scale, int at)
{
	return work(bytes == 2 ? ((const u16 *)row)[at] : row[at], scale);
}

/* column is the vertical filter at one sample of the rows; at counts samples, lanes included. */
FN s16 column(const u64 *v, const struct Group *g, int plane, const s16 *coef, int taps, int pos, int at)
{
	if (taps == 1) return sample(src_row(v, plane, clamp32(pos, 0, g->sh - 1)), g->sbytes, (s16)g->scale, at);
	s32 sum = taps > SHORT_TAPS ? 1 << 14 : 0;
	for (int k = 0; k < taps; k++) {
		s16 s = sample(src_row(v, plane, clamp32(pos + k, 0, g->sh - 1)), g->sbytes, (s16)g->scale, at);
		sum += taps > SHORT_TAPS ? s * coef[k] : mulr(s, coef[k]);
	}
	return (s16)(taps > SHORT_TAPS ? sum >> 15 : sum);
}

/* lane_at is one component of the output sample (x, row). */
FN s16 lane_at(const u64 *v, const struct Group *g, const struct Resampler *r, int plane, int lanes, int x,
		int row, int lane)
{
	const s16 *vcoef = (const s16 *)table(v, r->vcoef) + (s64)row * r->vtaps;
	const s32 vpos = ((const s32 *)table(v, r->vpos))[row];
	const s16 *hcoef = (const s16 *)table(v, r->hcoef) + x;
	const s32 hpos = ((const s32 *)table(v, r->hpos))[x];
	const int taps = r->htaps;
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

PART void resample(const u64 *v, const struct Group *g, int plane, int lanes, int x, int n,
		int row, s16 (*o)[BUF])
{
	const struct Resampler *r = (const struct Resampler *)table(v, g->table);
	(void)n;
	o[0][0] = lane_at(v, g, r, plane, lanes, x, row, 0);
	if (lanes > 1) o[1][0] = lane_at(v, g, r, plane, lanes, x, row, 1);
	if (lanes > 2) o[2][0] = lane_at(v, g, r, plane, lanes, x, row, 2);
}

#else

#include "resample_host.h"

#endif

/* load fetches n work values of each component of a plane from output position (x, row) on. lanes
 * is g->slanes, a constant where the caller knows it. */
PART void load(const u64 *v, const struct Group *g, int plane, int lanes, int x, int n, int row, s16 (*o)[BUF])
{
	if (g->table) resample(v, g, plane, lanes, x, n, row, o);
	else load_row(o, src_row(v, plane, row), g->sbytes, lanes, (s16)g->scale, x, n);
}

/* load_chroma fetches both chroma components, from two planes or from one. */
FN void load_chroma(const u64 *v, const struct Group *g, int x, int n, int row, s16 (*o)[BUF])
{
	if (g->sw == 0) {
		for (int i = 0; i < n; i++) o[0][i] = o[1][i] = WORK_MID;
	} else if (g->slanes == 2) {
		load(v, g, 1, 2, x, n, row, o);
	} else {
		load(v, g, 1, 1, x, n, row, o);
		load(v, g, 2, 1, x, n, row, o + 1);
	}
}

#endif
