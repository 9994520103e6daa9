/* turn.cu: quarter turns, half turns and mirror images: transpose, hflip, vflip and what they make
 * together. Samples are moved, never computed; a unit is the samples of a pixel that lie side by side
 * in a plane (1 to 8 bytes).
 *
 * Output pixel (x, y) is source pixel (x, y), or (y, x) when transposed, with the source's columns or
 * rows counted from the other end where mirrored.
 *
 * An item is one column of TURN_ROWS output rows of one plane; the planes follow one another in the
 * rows of the launch. Device: a block of 32 x 8 threads turns tiles of 32 x 32 pixels in shared
 * memory, so that it reads and writes along rows. Host: blocks of TURN_ROWS x TURN_ROWS pixels.
 */
#include "params.h"

enum { TURN_ROWS = 16 };

struct TurnPlane {
	s32 first;      /* row of the launch that the plane begins at, a multiple of 8 */
	s32 w, h;       /* output size in units */
	s32 bytes, count; /* of a unit: samples of so many bytes */
};

struct Turn {
	s32 planes, transposed, mirror_x, mirror_y;
	struct TurnPlane p[4];
};

FN const struct Turn *turn_of(const u64 *v) { return (const struct Turn *)v[CELL_PARAMS]; }

FN int turn_plane(const struct Turn *t, int row)
{
	int p = 0;
	while (p + 1 < t->planes && row >= t->p[p + 1].first) p++;
	return p;
}

FN int turn_unit(const struct TurnPlane *q) { return q->bytes * q->count; }

/* turn_from is the source unit of output unit (x, y). */
FN const u8 *turn_from(const u64 *v, const struct Turn *t, int p, int x, int y)
{
	const struct TurnPlane *q = &t->p[p];
	const int sw = t->transposed ? q->h : q->w, sh = t->transposed ? q->w : q->h;
	int sx = t->transposed ? y : x, sy = t->transposed ? x : y;
	if (t->mirror_x) sx = sw - 1 - sx;
	if (t->mirror_y) sy = sh - 1 - sy;
	return src_row(v, p, sy) + (s64)sx * turn_unit(q);
}

#ifdef DEVICE_BUILD

/* A unit is moved sample by sample: only samples are aligned. */
FN u64 unit_load(const u8 *s, const struct TurnPlane *q)
{
	u64 u = 0;
	for (int k = 0; k < q->count; k++)
		u |= q->bytes == 2 ? (u64)((const u16 *)s)[k] << (16 * k) : (u64)s[k] << (8 * k);
	return u;
}

FN void unit_store(u8 *d, const struct TurnPlane *q, u64 u)
{
	for (int k = 0; k < q->count; k++)
		if (q->bytes == 2) ((u16 *)d)[k] = (u16)(u >> (16 * k));
		else d[k] = (u8)(u >> (8 * k));
}

FN void turn_one(const u64 *v, const struct Turn *t, int p, int x, int y)
{
	const struct TurnPlane *q = &t->p[p];
	if (x < q->w && y < q->h)
		unit_store(dst_row(v, p, y) + (s64)x * turn_unit(q), q, unit_load(turn_from(v, t, p, x, y), q));
}

#endif

#ifdef __CUDA__

enum { TILE = 32, TILE_ROWS = 8 };

/* turn_tile turns one tile whose output begins at (x0, y0). Threads run along the source's rows while
 * they read and along the output's while they write. */
FN void turn_tile(const u64 *v, const struct Turn *t, int p, int x0, int y0, int tx, int ty, u64 (*tile)[TILE + 1])
{
	const struct TurnPlane *q = &t->p[p];
	for (int k = ty; k < TILE; k += TILE_ROWS) {
		const int x = x0 + k, y = y0 + tx;
		if (x < q->w && y < q->h) tile[k][tx] = unit_load(turn_from(v, t, p, x, y), q);
	}
	__syncthreads();
	for (int k = ty; k < TILE; k += TILE_ROWS) {
		const int x = x0 + tx, y = y0 + k;
		if (x < q->w && y < q->h) unit_store(dst_row(v, p, y) + (s64)x * turn_unit(q), q, tile[tx][k]);
	}
	__syncthreads();
}

/* A block never lies in two planes, so that its threads meet at the barriers. */
extern "C" __attribute__((global)) void turn(const Args a)
{
	__attribute__((shared)) static u64 tile[TILE][TILE + 1];
	const int tx = __nvvm_read_ptx_sreg_tid_x(), ty = __nvvm_read_ptx_sreg_tid_y();
	const int x0 = __nvvm_read_ptx_sreg_ctaid_x() * TILE, row = __nvvm_read_ptx_sreg_ctaid_y() * TILE_ROWS;
	const struct Turn *t = turn_of(a.v);
	const int p = turn_plane(t, row), y0 = (row - t->p[p].first) * TURN_ROWS;
	for (int y = y0; y < min32(y0 + TILE_ROWS * TURN_ROWS, t->p[p].h); y += TILE) {
		if (t->transposed) turn_tile(a.v, t, p, x0, y, tx, ty, tile);
		else
			for (int k = ty; k < TILE; k += TILE_ROWS) turn_one(a.v, t, p, x0 + tx, y + k);
	}
}

#elif defined(DEVICE_BUILD)

FN void turn_body(const u64 *v, int x, int row)
{
	const struct Turn *t = turn_of(v);
	const int p = turn_plane(t, row), y0 = (row - t->p[p].first) * TURN_ROWS;
	for (int k = 0; k < TURN_ROWS; k++) turn_one(v, t, p, x, y0 + k);
}

KERNEL(turn, turn_body)

#else

#include "turn_host.h"

#endif
