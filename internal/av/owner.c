#include "owner.h"

#include <string.h>

/* The decoder that a line is about: the context itself, or the one that it was made for. */
static AVCodecContext *decoder_of(void *ctx)
{
	for (int depth = 0; ctx && depth < 4; depth++) {
		const AVClass *c = *(const AVClass **)ctx;
		if (!c)
			return NULL;
		if (c == avcodec_get_class())
			return ctx;
		ctx = c->parent_log_context_offset ? *(void **)((char *)ctx + c->parent_log_context_offset) : NULL;
	}
	return NULL;
}

void pr_owner_hears(void *ctx, const char *fmt)
{
	AVCodecContext *c;
	if (!strstr(fmt, "exceeds specified max pixel count"))
		return;
	c = decoder_of(ctx);
	if (c && av_codec_is_decoder(c->codec) && c->opaque)
		atomic_store(&((pr_owner *)c->opaque)->too_large, 1);
}

int pr_owner_too_large(pr_owner *o) { return atomic_load(&o->too_large); }
