/* lines_host.h keeps rows of the source as work values, on the host. Neighbouring output rows share
 * most of the rows under them: a row is fetched, moved to the work scale and taken apart into its lanes
 * once, not once for each output row. So that few columns have to be kept, a kernel that resamples goes
 * down the picture chunk by chunk (RESAMPLING in resample.h). Included by resample.h only. */
#ifndef PINRING_LINES_HOST_H
#define PINRING_LINES_HOST_H

/* A window holds the columns under a chunk of outputs; it stays in the first-level cache. */
#define WINDOW 2048
#define WINDOW_BUF (WINDOW + 64)

/* ARENA is for the lines of all planes, in samples: however many planes there are, two rows fit under
 * one output of the widest filter. A sweep of the vertical filter takes up to SWEEP rows. */
enum { ARENA = 64 * 1024, SWEEP = 8 };

/* Lines are rows of one plane, n samples of each lane from column lo on. Lane k of row y lies at
 * at + ((y % slots) * lanes + k) * pitch. Lanes from `used` on are of no component that the output has. */
struct Lines {
	s16 *at; /* in the arena, room for so many samples */
	s32 room, used;
	s32 lo, n, pitch, lanes, slots;
	s32 held[SHORT_TAPS]; /* by slot: the row there, -1: none */
};

/* Memory is what a call of a kernel keeps from one row to the next, by group and plane. */
struct Memory {
	s32 item; /* outputs of a chunk */
	struct Lines of[2][COMPONENTS];
	_Alignas(64) s16 arena[ARENA];
};

/* vectors rounds up to whole vectors of the widest build: code may compute so far beyond an end. */
FN int vectors(int n) { return (n + 31) & ~31; }

/* rows_wanted is how many rows a filter likes to keep. A long one takes row by row. */
FN int rows_wanted(int taps) { return taps > SHORT_TAPS ? 1 : taps; }

FN int has_plane(const struct Group *g, int plane)
{
	for (int c = 0; c < COMPONENTS; c++)
		if (g->s.plane[c] == plane) return 1;
	return 0;
}

FN int lanes_used(const struct Where *w)
{
	int n = 0;
	for (int c = 0; c < COMPONENTS; c++)
		if (w->plane[c] >= 0) n = max32(n, w->lane[c] + 1);
	return n;
}

/* fits reports whether all rows that the filter wants have room under `item` outputs. */
FN int fits(const u64 *v, const struct Group *g, int item, int room)
{
	const struct Resampler *r = (const struct Resampler *)table(v, g->table);
	const s64 columns = (s64)item * g->sw / g->w + r->htaps + 2;
	return columns <= WINDOW && vectors((int)columns) * g->s.lanes * rows_wanted(r->vtaps) <= room;
}

/* remember prepares the memory of a kernel: it deals the arena out to the planes that are resampled, and
 * makes chunks small enough. It returns whether there is such a plane. */
PART int remember(const u64 *v, struct Memory *m)
{
	struct Lines *kept[2 * COMPONENTS];
	int planes = 0;
	m->item = ITEM;
	for (int k = 0; k < 2; k++) {
		const struct Group *g = &params(v)->g[k];
		for (int p = 0; p < COMPONENTS; p++)
			if (g->w && g->table && has_plane(g, p)) {
				kept[planes] = &m->of[k][p];
				*kept[planes++] = (struct Lines){.used = lanes_used(&g->s), .n = -1};
			}
	}
	if (planes == 0) return 0;
	const int room = ARENA / planes & ~31;
	for (int i = 0; i < planes; i++) kept[i]->at = m->arena + i * room, kept[i]->room = room;
	for (int k = 0; k < 2; k++) {
		const struct Group *g = &params(v)->g[k];
		while (g->w && g->table && m->item > 32 && !fits(v, g, m->item, room)) m->item /= 2;
	}
	return 1;
}

/* lines_under makes the lines those of the columns [lo, lo+n). What they held of others is forgotten. */
FN void lines_under(struct Lines *l, int lo, int n, int lanes, int taps)
{
	if (l->lo == lo && l->n == n) return;
	const int pitch = vectors(n), most = l->room / (pitch * lanes), wanted = rows_wanted(taps);
	l->lo = lo, l->n = n, l->pitch = pitch, l->lanes = lanes;
	l->slots = wanted <= most ? wanted : min32(SWEEP, most & ~1);
	for (int i = 0; i < SHORT_TAPS; i++) l->held[i] = -1;
}

/* foresee asks for the row that will be fetched after the next: a decoded picture is larger than the
 * caches near a core, and segments of rows are too short for the processor to foresee by itself. */
FN void foresee(const u64 *v, const struct Group *g, int plane, int y, s64 offset, int bytes)
{
	if (y >= g->sh) return;
	for (int b = 0; b < bytes; b += 64) __builtin_prefetch(src_row(v, plane, y) + offset + b);
}

/* fetch makes row y the one in a slot. */
FN void fetch(const u64 *v, const struct Group *g, struct Lines *l, int plane, int slot, int y)
{
	const int unit = l->lanes * g->s.bytes;
	s16 *to = l->at + (s64)slot * l->lanes * l->pitch;
	s16 *const o[COMPONENTS] = {to, to + l->pitch, to + 2 * l->pitch, to + 3 * l->pitch};
	foresee(v, g, plane, y + 2, (s64)l->lo * unit, l->n * unit);
	load_row(o, src_row(v, plane, y), &g->s, (s16)g->scale, l->lo, min32(l->pitch, g->sw - l->lo));
	l->held[slot] = y;
}

/* kept_rows points rows[i] at lane 0 of row y+i, borders repeated, for n rows; it fetches what is missing. */
FN void kept_rows(const u64 *v, const struct Group *g, struct Lines *l, int plane, int y, int n, const s16 **rows)
{
	int slot = clamp32(y, 0, g->sh - 1) % l->slots;
	for (int i = 0; i < n; i++, y++) {
		if (i > 0 && y > 0 && y < g->sh && ++slot == l->slots) slot = 0;
		const int row = clamp32(y, 0, g->sh - 1);
		if (l->held[slot] != row) fetch(v, g, l, plane, slot, row);
		rows[i] = l->at + (s64)slot * l->lanes * l->pitch;
	}
}

#endif
