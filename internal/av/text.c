#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 20 };

struct pr_text {
	AVCodecContext *dec, *enc;
};

int pr_is_text(const char *codec)
{
	const AVCodecDescriptor *d = avcodec_descriptor_get_by_name(codec);
	return d && d->props & AV_CODEC_PROP_TEXT_SUB;
}

static int open_decoder(pr_text *t, const AVCodecParameters *par, AVRational time_base)
{
	const AVCodec *c = avcodec_find_decoder(par->codec_id);
	if (!c)
		return AVERROR_DECODER_NOT_FOUND;
	if (!(t->dec = avcodec_alloc_context3(c)))
		return AVERROR(ENOMEM);
	int r = avcodec_parameters_to_context(t->dec, par);
	t->dec->pkt_timebase = time_base;
	return r < 0 ? r : avcodec_open2(t->dec, c, NULL);
}

int pr_text_open(pr_text **out, const AVCodecParameters *par, AVRational time_base, const AVCodec *enc)
{
	pr_text *t = *out = calloc(1, sizeof *t);
	if (!t)
		return AVERROR(ENOMEM);
	int r = open_decoder(t, par, time_base);
	if (r < 0)
		return r;
	if (!(t->enc = avcodec_alloc_context3(enc)))
		return AVERROR(ENOMEM);
	t->enc->time_base = AV_TIME_BASE_Q;
	t->enc->width = par->width;
	t->enc->height = par->height;
	if (t->dec->subtitle_header_size > 0) {
		t->enc->subtitle_header = av_mallocz(t->dec->subtitle_header_size + 1);
		if (!t->enc->subtitle_header)
			return AVERROR(ENOMEM);
		memcpy(t->enc->subtitle_header, t->dec->subtitle_header, t->dec->subtitle_header_size);
		t->enc->subtitle_header_size = t->dec->subtitle_header_size;
	}
	return avcodec_open2(t->enc, enc, NULL);
}

void pr_text_free(pr_text *t)
{
	if (!t)
		return;
	avcodec_free_context(&t->dec);
	avcodec_free_context(&t->enc);
	free(t);
}

static int encode(pr_text *t, AVSubtitle *sub, int64_t duration_us, AVPacket *out)
{
	int64_t from = sub->start_display_time;
	int64_t lasts = (int64_t)sub->end_display_time - from;
	if (sub->end_display_time == 0 || sub->end_display_time == UINT32_MAX || lasts <= 0)
		lasts = duration_us / 1000;
	sub->pts += from * 1000;
	sub->start_display_time = 0;
	sub->end_display_time = lasts;
	int r = av_new_packet(out, LARGEST);
	if (r < 0)
		return r;
	r = sub->num_rects ? avcodec_encode_subtitle(t->enc, out->data, LARGEST, sub) : 0;
	if (r <= 0) {
		av_packet_unref(out);
		return r;
	}
	av_shrink_packet(out, r);
	out->pts = out->dts = sub->pts;
	out->duration = lasts * 1000;
	out->flags |= AV_PKT_FLAG_KEY;
	return 1;
}

int pr_text_convert(pr_text *t, AVPacket *in, AVPacket *out)
{
	AVSubtitle sub;
	int got = 0, r = avcodec_decode_subtitle2(t->dec, &sub, &got, in);
	if (r < 0 || !got)
		return r < 0 ? r : 0;
	r = encode(t, &sub, av_rescale_q(in->duration, t->dec->pkt_timebase, AV_TIME_BASE_Q), out);
	avsubtitle_free(&sub);
	return r;
}

AVCodecContext *pr_text_codec(pr_text *t) { return t->enc; }
