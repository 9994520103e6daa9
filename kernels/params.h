/* params.h is what a launch needs to know besides addresses: constants of the plan, in device
 * memory. Mirrored by params.go; all fields are 32-bit. */
#ifndef PINRING_PARAMS_H
#define PINRING_PARAMS_H

#include "portable.h"

/* Argument cells, the same for all kernels. Addresses and strides are of planes, as FFmpeg numbers
 * them. */
enum {
	CELL_COLS,             /* output width and height: items of the launch */
	CELL_ROWS,
	CELL_SRC,              /* 4 addresses */
	CELL_SRC_STRIDE = 6,   /* 4 strides in bytes, may be negative */
	CELL_DST = 10,         /* 4 addresses */
	CELL_DST_STRIDE = 14,  /* 4 strides in bytes */
	CELL_PARAMS = 18,      /* address of struct Params (turn: struct Turn) */
	CELL_TABLES = 19       /* address that offsets of tables count from */
};

/* Components of a pixel, in every pixel format. */
enum { Y, U, V, ALPHA, COMPONENTS, RED = 0, GREEN = 1, BLUE = 2 };

/* Where tells how the samples of some components lie. The components are in planes of their own
 * (lanes 1), or all in one plane, side by side: 2 lanes for the chroma of nv12, 3 for rgb24, 4 for
 * rgba and rgb0. The code of a sample is its bytes, little-endian, without the lowest `shift` bits. */
struct Where {
	s32 bytes;               /* of a sample: 1 or 2 */
	s32 lanes;
	s32 shift;
	s32 plane[COMPONENTS];   /* -1: no such component here */
	s32 lane[COMPONENTS];
};

/* Store tells how a work value becomes a code:
 * tone(clamp((work*mul + add) >> shr, 0, max)) ^ flip; mul 0: tone(clamp(work / 2^shr, rounded, 0, max)) ^ flip. */
struct Store { s32 mul, add, shr, max, flip; };

/* Group is a set of components of one size: 0 is luma and alpha, or red, green, blue and alpha; 1 is
 * chroma. */
struct Group {
	s32 w, h;                /* output size in samples; w 0: no such group */
	s32 sw, sh;              /* source size in samples; sw 0: source has none, use mid-grey */
	s32 scale;               /* factor from source codes to the 14-bit work scale; wide kernels: log2 of
	                          * the factor to 16 bits */
	s32 table;               /* offset of struct Resampler, 0: same size, no resampling */
	s32 copy;                /* 1: bytes are copied, with tone and the low byte of flip */
	struct Where s, d;       /* a component that only d has is opaque */
	struct Store o[COMPONENTS];
};

/* Tone is a change of codes, one component at a time, after the clamp and before flip. */
struct Tone {
	s32 kind;     /* TONE_… */
	s32 mul, add; /* TONE_LINE: clamp((code*mul >> 12) + add, 0, max) */
	s32 lut;      /* TONE_TABLE: offset of u16 [max + 1] */
};

enum { TONE_NONE, TONE_LINE, TONE_TABLE };

/* Sharp is unsharp's kernel for one group, see unsharp.cu. */
struct Sharp {
	s32 rx, ry;      /* the kernel reaches so far; 2*rx+1 by 2*ry+1 */
	s32 whole, part; /* amount = whole + part/65536, part as s16; both 0: the plane stays as it is */
	s32 coef;        /* offset of u32 [2*ry+1], the column's binomial weights; the row's follow, [2*rx+1] */
};

struct Params {
	s32 rowshift; /* chroma row r belongs to the launch row r << rowshift */
	struct Group g[2];
	s32 m[16];    /* colour matrix, see convert.cu and wide.cu */
	struct Tone tone[COMPONENTS];
	struct Sharp sharp[2];
};

/* Resampler is a separable filter. Output sample i is the sum over k of source[pos[i]+k]*coef[i,k],
 * with source positions clamped to the picture. Offsets count from CELL_TABLES. */
struct Resampler {
	s32 hmode, htaps, hpos, hcoef, hpitch; /* hcoef: s16 [htaps][hpitch], neighbours side by side */
	s32 hrow;                              /* the same by output: s16 [hpitch][htaps rounded up to 8] */
	s32 vtaps, vpos, vcoef;                /* vcoef: s16 [rows][vtaps] */
	s32 hphases, hstep;                    /* of H_PHASES */
	s32 hspan;                             /* weights for resize.cu, 0: none */
};

enum {
	H_SAME,   /* no horizontal filter */
	H_ANY,    /* by table */
	H_PHASES  /* column j has the weights of column j-hphases and takes samples hstep further on */
};

/* MAX_PHASES bounds hphases and hstep: 1:2, 3:2 and 4:3 are phases, 16:9 is not. */
enum { MAX_PHASES = 4 };

/* Filters up to this length sum rounded 16-bit products, longer ones exact 32-bit products (whose
 * rounding does not add up). */
enum { SHORT_TAPS = 32 };

FN const struct Params *params(const u64 *v) { return (const struct Params *)v[CELL_PARAMS]; }
FN const u8 *table(const u64 *v, s32 offset) { return (const u8 *)v[CELL_TABLES] + offset; }

FN const u8 *src_row(const u64 *v, int plane, int y)
{
	return (const u8 *)v[CELL_SRC + plane] + (s64)y * (s64)v[CELL_SRC_STRIDE + plane];
}

FN u8 *dst_row(const u64 *v, int plane, int y)
{
	return (u8 *)v[CELL_DST + plane] + (s64)y * (s64)v[CELL_DST_STRIDE + plane];
}

/* packed_plane is the plane that all components lie in, where there are several lanes. */
FN int packed_plane(const struct Where *w)
{
	for (int c = 0; c < COMPONENTS; c++)
		if (w->plane[c] >= 0) return w->plane[c];
	return 0;
}

#endif
