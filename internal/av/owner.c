#include "owner.h"

#include <string.h>

/* A decoder of this thread that has no owner refused a picture. */
static _Thread_local int elsewhere;

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

/* The words of libavutil (av_image_check_size2), and of those that compare by themselves: libdav1d, and
 * decoders whose data says how large it is unpacked. */
static int is_about_size(const char *fmt)
{
	return strstr(fmt, "exceeds specified max pixel count") || strstr(fmt, "Frame size %dx%d exceeds limit") ||
	       strstr(fmt, "larger than max_pixels");
}

void pr_owner_hears(void *ctx, const char *fmt)
{
	AVCodecContext *c;
	if (!is_about_size(fmt))
		return;
	c = decoder_of(ctx);
	if (c && av_codec_is_decoder(c->codec) && c->opaque)
		atomic_store(&((pr_owner *)c->opaque)->too_large, 1);
	else
		elsewhere = 1;
}

int pr_owner_take_elsewhere(void)
{
	int was = elsewhere;
	elsewhere = 0;
	return was;
}

int pr_owner_take_too_large(pr_owner *o) { return atomic_exchange(&o->too_large, 0); }
