#include "encopts.h"

#include <libavutil/bprint.h>
#include <libavutil/opt.h>
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

void pr_encoder_quality(AVCodecContext *c, double q)
{
	c->flags |= AV_CODEC_FLAG_QSCALE;
	c->global_quality = q * FF_QP2LAMBDA + 0.5;
}
