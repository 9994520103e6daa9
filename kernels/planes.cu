/* planes.cu: picture to picture without a change of colour model: size, subsampling, bit depth,
 * range, order of the samples, negation, in one pass. YUV and grey to the same, RGB to RGB.
 *
 * Layout: whatever struct Where can tell; strides in bytes. One item is one output pixel; the chroma
 * samples of an item belong to the rows that rowshift picks, so that bands of rows cost the same. Odd
 * sizes: chroma sizes are rounded up.
 */
#include "resample.h"

#ifdef DEVICE_BUILD

FN void planes_group(const u64 *v, struct Memory *mem, const struct Group *g, int x, int row)
{
	ROLLED
	for (int c = 0; c < COMPONENTS; c++)
		if (g->d.plane[c] >= 0)
			put_code(v, &g->d, c, x, row, finish_one(v, g, c, component(v, g, c, x, row)));
}

#else

FN void planes_group(const u64 *v, struct Memory *mem, const struct Group *g, int x, int row)
{
	const int n = outputs(mem, g->w, x);
	s16 b[COMPONENTS][BUF];
	load(v, mem, g, x, n, row, b);
	put(v, g, x, n, row, b);
}

#endif

FN void planes_part(const u64 *v, struct Memory *mem, const struct Group *g, int x, int row)
{
	if (g->copy) copy_group(v, g, x, outputs(mem, g->w, x), row);
	else planes_group(v, mem, g, x, row);
}

FN void planes_body(const u64 *v, struct Memory *mem, int x, int row)
{
	const struct Params *p = params(v);
	planes_part(v, mem, &p->g[0], x, row);
	if (x < p->g[1].w && (row & ((1 << p->rowshift) - 1)) == 0)
		planes_part(v, mem, &p->g[1], x, row >> p->rowshift);
}

RESAMPLING(planes, planes_body)
