#ifndef PR_OWNER_H
#define PR_OWNER_H

#include <libavcodec/avcodec.h>
#include <stdatomic.h>

struct pr_pool;

/* What the `opaque` of our decoders points to; frame threads' copies of a decoder share it. */
typedef struct {
	struct pr_pool *pool;  /* where pictures are put, NULL: the decoder's own memory */
	atomic_int too_large;  /* a picture was refused because of max_pixels */
} pr_owner;

/* Looks at a line of FFmpeg's log. That a picture is too large is told nowhere else: the error code is
 * any, by decoder, and the line may come from any of its threads. */
void pr_owner_hears(void *ctx, const char *fmt);

/* Whether a picture was refused since this was last asked. */
int pr_owner_take_too_large(pr_owner *o);

/* The same of decoders that FFmpeg opens for itself on the calling thread. */
int pr_owner_take_elsewhere(void);

#endif
