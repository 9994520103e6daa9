#include "encopts.h"

#include <libavutil/bprint.h>
#include <libavutil/opt.h>
#include <limits.h>
#include <string.h>

static void list(AVBPrint *b, const void *obj, const char *unit)
{
	for (const AVOption *o = NULL; (o = av_opt_next(obj, o));)
		if (unit ? o->type == AV_OPT_TYPE_CONST && o->unit && !strcmp(o->unit, unit)
		         : o->type != AV_OPT_TYPE_CONST && o->flags & AV_OPT_FLAG_ENCODING_PARAM &&
		               o->flags & AV_OPT_FLAG_VIDEO_PARAM)
			av_bprintf(b, "%s%s", b->len ? "," : "", o->name);
}

char *pr_encoder_options(const AVCodec *c)
{
	AVBPrint b;
	char *out = NULL;
	const AVClass *common = avcodec_get_class();
	av_bprint_init(&b, 0, AV_BPRINT_SIZE_UNLIMITED);
	if (c->priv_class)
		list(&b, &c->priv_class, NULL);
	list(&b, &common, NULL);
	av_bprint_finalize(&b, &out);
	return out;
}

char *pr_encoder_values(const AVCodec *c, const char *option)
{
	AVBPrint b;
	char *out = NULL;
	av_bprint_init(&b, 0, AV_BPRINT_SIZE_UNLIMITED);
	const AVOption *o = c->priv_class ? av_opt_find((void *)&c->priv_class, option, NULL, 0, AV_OPT_SEARCH_FAKE_OBJ) : NULL;
	if (o && o->unit)
		list(&b, &c->priv_class, o->unit);
	av_bprint_finalize(&b, &out);
	return out;
}

/* Names of an option's constants; a flag among them may be followed by others. */
static void name_constants(AVBPrint *b, void *obj, const AVOption *of)
{
	const char *between = of->type == AV_OPT_TYPE_FLAGS ? "flags: " : "";
	for (const AVOption *o = NULL; (o = av_opt_next(obj, o));)
		if (o->type == AV_OPT_TYPE_CONST && o->unit && !strcmp(o->unit, of->unit)) {
			av_bprintf(b, "%s%s", between, o->name);
			between = ", ";
		}
}

static int is_number(const AVOption *o)
{
	return o->type == AV_OPT_TYPE_INT || o->type == AV_OPT_TYPE_INT64 || o->type == AV_OPT_TYPE_FLOAT ||
	       o->type == AV_OPT_TYPE_DOUBLE;
}

static void describe_option(AVBPrint *b, void *obj, const AVOption *o)
{
	if (o->unit)
		name_constants(b, obj, o);
	if (o->type == AV_OPT_TYPE_BOOL)
		av_bprintf(b, "0 or 1");
	if (!is_number(o))
		return;
	av_bprintf(b, "%s", b->len ? ", or " : "");
	/* The limits of the machine's types stand for none. */
	if (o->min <= INT_MIN && o->max >= INT_MAX)
		av_bprintf(b, "a number");
	else if (o->max >= INT_MAX)
		av_bprintf(b, "a number from %g on", o->min);
	else
		av_bprintf(b, "a number from %g to %g", o->min, o->max);
}

int pr_encoder_takes(const AVCodec *c, const char *option, const char *value, char *allowed, size_t size)
{
	AVBPrint b;
	void *owner = NULL;
	allowed[0] = 0;
	AVCodecContext *cc = avcodec_alloc_context3(c);
	if (!cc)
		return AVERROR(ENOMEM);
	int r = av_opt_set(cc, option, value, AV_OPT_SEARCH_CHILDREN);
	const AVOption *o = av_opt_find2(cc, option, NULL, 0, AV_OPT_SEARCH_CHILDREN, &owner);
	if (r < 0 && o) {
		av_bprint_init_for_buffer(&b, allowed, size);
		describe_option(&b, owner, o);
	}
	avcodec_free_context(&cc);
	return r;
}

static int send_blank(AVCodecContext *c)
{
	AVFrame *f = av_frame_alloc();
	if (!f)
		return AVERROR(ENOMEM);
	f->width = c->width;
	f->height = c->height;
	f->format = c->pix_fmt;
	f->pts = 0;
	int r = av_frame_get_buffer(f, 0);
	for (int i = 0; r >= 0 && i < AV_NUM_DATA_POINTERS && f->buf[i]; i++)
		memset(f->buf[i]->data, 0, f->buf[i]->size);
	if (r >= 0)
		r = avcodec_send_frame(c, f);
	av_frame_free(&f);
	return r;
}

int pr_encoder_give_up(AVCodecContext *c, int blank)
{
	AVPacket *p = av_packet_alloc();
	if (!p)
		return AVERROR(ENOMEM);
	int r = blank ? send_blank(c) : 0;
	if (r >= 0)
		r = avcodec_send_frame(c, NULL);
	while (r >= 0) {
		r = avcodec_receive_packet(c, p);
		av_packet_unref(p);
	}
	av_packet_free(&p);
	return r;
}

void pr_encoder_quality(AVCodecContext *c, double q)
{
	c->flags |= AV_CODEC_FLAG_QSCALE;
	c->global_quality = q * FF_QP2LAMBDA + 0.5;
}
