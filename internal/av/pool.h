#ifndef PR_POOL_H
#define PR_POOL_H

#include "layout.h"
#include <stdint.h>

/* A pool of memory blocks that a decoder writes its pictures into. All functions are thread-safe
 * and none of them blocks but for the length of a list operation. The pool lives until its owner
 * and the last picture in one of its blocks have let go of it. */
typedef struct pr_pool pr_pool;

typedef struct {
	int64_t taken;      /* pictures that were given a block */
	int64_t fallbacks;  /* pictures that were put elsewhere */
	int slots;          /* blocks in the pool, retired ones left out */
	int busy, busy_max; /* blocks that something refers to */
	int returned;       /* blocks that wait for pr_pool_take_returned */
	pr_layout demand;   /* the largest picture for which there was no block large enough; size 0: none */
} pr_pool_stats;

pr_pool *pr_pool_new(void);
void pr_pool_unref(pr_pool *p);

/* Adds a block. id >= 0 is the caller's name for it. Returns an AVERROR; the block is then not in
 * the pool. */
int pr_pool_add(pr_pool *p, void *base, size_t size, int id);

/* Takes blocks smaller than size out of the pool. They are listed as returned at once when free,
 * else when the last reference is dropped. SIZE_MAX takes all. Forgets the demand. */
void pr_pool_retire(pr_pool *p, size_t size);

/* Writes the ids of up to max returned blocks and forgets these blocks. Returns how many. */
int pr_pool_take_returned(pr_pool *p, int *ids, int max);

/* Makes an unopened decoder, which has an owner, use the pool, which must outlive it. */
void pr_pool_attach(pr_pool *p, AVCodecContext *c);

/* The id of the block that the picture lies in, -1 when it lies elsewhere. */
int pr_pool_id_of(pr_pool *p, const AVFrame *f);

void pr_pool_read_stats(pr_pool *p, pr_pool_stats *out);

#endif
