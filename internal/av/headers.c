/* avformat_find_stream_info decodes whole pictures on one thread, to learn the format of their samples, and of
 * H.264 without B pictures seven of them, to see in what order they come: docs/performance.md. They are decoded
 * again for real. But a decoder knows the format when it asks for its first buffer, after a slice's header and
 * before the slice, and mov tells both orders of the samples in its index. So: a decoder that is refused its first
 * buffer.
 */
#include "headers.h"

#include <libavcodec/avcodec.h>
#include <libavutil/opt.h>
#include <string.h>

/* The largest first picture that is read for its header. */
enum { LARGEST_PICTURE = 64 << 20 };

/* In so many pictures the order shows: in H.264 none waits for more than 16 others. */
enum { ORDERED_PICTURES = 2 * 16 };

/* Whether pictures would be decoded for it. Other codecs are described by their container, or cheap. */
static int is_costly(const AVCodecParameters *par)
{
	return par->codec_type == AVMEDIA_TYPE_VIDEO && par->format == AV_PIX_FMT_NONE &&
	       (par->codec_id == AV_CODEC_ID_H264 || par->codec_id == AV_CODEC_ID_PRORES);
}

/* Whether the index says where packets lie in this file: mov's does, unless their data may lie in others. */
static int has_places(const AVFormatContext *f)
{
	int64_t elsewhere = 0;
	return f->pb && (f->pb->seekable & AVIO_SEEKABLE_NORMAL) && !strncmp(f->iformat->name, "mov,", 4) &&
	       av_opt_get_int(f->priv_data, "enable_drefs", 0, &elsewhere) >= 0 && !elsewhere;
}

/* Whether the container tells in what order pictures come. The samples of fragments are not in the index, and
 * FFmpeg reckons with those that are; H.264's own header need not say. */
static int has_order(const AVStream *st)
{
	return st->codecpar->codec_id != AV_CODEC_ID_H264 ||
	       (st->nb_frames >= ORDERED_PICTURES && avformat_index_get_entries_count(st) >= ORDERED_PICTURES);
}

static int refuse(AVCodecContext *c, AVFrame *f, int flags)
{
	(void)c, (void)f, (void)flags;
	return AVERROR_EXIT;
}

/* Reads the stream's first packet where the index says that it lies. */
static AVPacket *first_packet(AVFormatContext *f, AVStream *st)
{
	const AVIndexEntry *e = avformat_index_get_entry(st, 0);
	if (!e || e->pos < 0 || e->size <= 0 || e->size > LARGEST_PICTURE)
		return NULL;
	AVPacket *p = av_packet_alloc();
	int64_t at = avio_tell(f->pb);
	int read = -1;
	if (p && avio_seek(f->pb, e->pos, SEEK_SET) == e->pos)
		read = av_get_packet(f->pb, p, e->size);
	if (avio_seek(f->pb, at, SEEK_SET) != at || read != e->size)
		av_packet_free(&p);
	return p;
}

/* Makes a decoder that keeps its troubles to itself: who reads on meets them again. */
static AVCodecContext *quiet_decoder(const AVCodecParameters *par, int64_t max_pixels)
{
	const AVCodec *codec = avcodec_find_decoder(par->codec_id);
	AVCodecContext *c = codec ? avcodec_alloc_context3(codec) : NULL;
	if (!c)
		return NULL;
	c->log_level_offset = AV_LOG_TRACE;
	if (avcodec_parameters_to_context(c, par) < 0) {
		avcodec_free_context(&c);
		return NULL;
	}
	c->thread_count = 1;
	c->max_pixels = max_pixels;
	c->get_buffer2 = refuse;
	if (avcodec_open2(c, codec, NULL) < 0)
		avcodec_free_context(&c);
	return c;
}

int pr_read_header(AVFormatContext *f, AVStream *st, int64_t max_pixels)
{
	int known = 0;
	if (!has_places(f) || !is_costly(st->codecpar) || !has_order(st))
		return 0;
	AVCodecContext *c = quiet_decoder(st->codecpar, max_pixels);
	AVPacket *p = c ? first_packet(f, st) : NULL;
	if (p) {
		avcodec_send_packet(c, p); /* fails: if not for another reason, then for lack of a buffer */
		known = c->pix_fmt != AV_PIX_FMT_NONE && c->width > 0 &&
		        avcodec_parameters_from_context(st->codecpar, c) >= 0;
	}
	av_packet_free(&p);
	avcodec_free_context(&c);
	return known;
}
