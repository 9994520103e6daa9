#include "output.h"

#include <libavutil/pixdesc.h>

#include <libavutil/cpu.h>
#include <string.h>

/* The order of fields, as FFmpeg's program sets it; encoders that can keep fields apart are told to. */
static void set_fields(AVCodecContext *c, const pr_lent *p)
{
	c->field_order = AV_FIELD_PROGRESSIVE;
	if (!p->interlaced)
		return;
	if (c->codec_id == AV_CODEC_ID_MJPEG)
		c->field_order = p->top_field_first ? AV_FIELD_TT : AV_FIELD_BB;
	else
		c->field_order = p->top_field_first ? AV_FIELD_TB : AV_FIELD_BT;
	switch (c->codec_id) {
	case AV_CODEC_ID_H264:
	case AV_CODEC_ID_MPEG2VIDEO:
	case AV_CODEC_ID_PRORES:
		c->flags |= AV_CODEC_FLAG_INTERLACED_DCT;
	default:
		break;
	}
}

void pr_encoder_setup(AVCodecContext *c, const pr_lent *p, AVRational time_base, AVRational rate,
                      int global_header)
{
	c->width = p->width;
	c->height = p->height;
	c->pix_fmt = p->format;
	c->sample_aspect_ratio = p->sar;
	c->time_base = time_base;
	c->framerate = rate;
	c->color_range = p->color_range;
	c->colorspace = p->matrix;
	c->color_primaries = p->primaries;
	c->color_trc = p->transfer;
	c->chroma_sample_location = p->chroma;
	set_fields(c, p);
	if (global_header)
		c->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
}

/* Measured: these copy what they keep. */
static int copies(enum AVCodecID id)
{
	switch (id) {
	case AV_CODEC_ID_H264:
	case AV_CODEC_ID_HEVC:
	case AV_CODEC_ID_AV1:
	case AV_CODEC_ID_VP8:
	case AV_CODEC_ID_VP9:
		return 1;
	default:
		return 0;
	}
}

int pr_encoder_holds(const AVCodecContext *c)
{
	if (c->active_thread_type & FF_THREAD_FRAME)
		return c->thread_count;
	return copies(c->codec_id) ? 0 : 2 + c->max_b_frames;
}

int pr_encoder_may_hold(const AVCodec *c, int threads, int b_frames)
{
	if (c->capabilities & AV_CODEC_CAP_FRAME_THREADS && threads != 1)
		return threads > 0 ? threads : FFMIN(av_cpu_count(), 64);
	return copies(c->id) ? 0 : 2 + b_frames;
}

int pr_best_format(const enum AVPixelFormat *list, int f)
{
	const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(f);
	int alpha = d && d->flags & AV_PIX_FMT_FLAG_ALPHA;
	return avcodec_find_best_pix_fmt_of_list(list, f, alpha, NULL);
}

void pr_set_disposition(AVStream *st, int disposition) { st->disposition = disposition; }

void pr_raw_stream(AVStream *st, enum AVCodecID id, const pr_lent *p, AVRational time_base, AVRational rate)
{
	AVCodecParameters *par = st->codecpar;
	par->codec_type = AVMEDIA_TYPE_VIDEO;
	par->codec_id = id;
	par->format = p->format;
	par->width = p->width;
	par->height = p->height;
	par->color_range = p->color_range;
	par->color_space = p->matrix;
	par->color_primaries = p->primaries;
	par->color_trc = p->transfer;
	par->chroma_location = p->chroma;
	par->field_order = !p->interlaced ? AV_FIELD_PROGRESSIVE : p->top_field_first ? AV_FIELD_TT : AV_FIELD_BB;
	par->sample_aspect_ratio = st->sample_aspect_ratio = p->sar;
	st->time_base = time_base;
	st->avg_frame_rate = rate;
}

int pr_mux_bytes(AVFormatContext *f, AVPacket *pkt, const uint8_t *data, int size, int64_t pts, int64_t dts)
{
	pkt->data = (uint8_t *)data;
	pkt->size = size;
	pkt->pts = pts;
	pkt->dts = dts;
	pkt->stream_index = 0;
	pkt->flags = AV_PKT_FLAG_KEY;
	int r = av_write_frame(f, pkt);
	av_packet_unref(pkt);
	return r;
}

void pr_write_rows(AVFormatContext *f, const char *head, const pr_lent *p, const int bytes[4])
{
	avio_write(f->pb, (const uint8_t *)head, strlen(head));
	for (int i = 0; i < 4; i++)
		for (int y = 0; y < p->rows[i] && bytes[i]; y++)
			avio_write(f->pb, p->data[i] + (ptrdiff_t)y * p->stride[i], bytes[i]);
	avio_flush(f->pb);
}
