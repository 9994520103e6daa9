#include "input.h"
#include "headers.h"
#include "log.h"
#include "owner.h"

#include <libavutil/bprint.h>
#include <libavutil/dict.h>
#include <libavutil/display.h>
#include <stdlib.h>
#include <string.h>

/* Demuxers that follow names found inside a file, or that run scripts. image2 is not among them:
 * it is opened with pattern_type=none, and then reads its one file. */
static const char *const unsafe[] = {
	"applehttp", "avisynth", "concat", "dash", "hls", "imf", "lavfi", "rtp", "rtsp", "sap", "sdp",
	"vapoursynth", "vobsub", "webm_dash_manifest", NULL,
};

static int is_unsafe(const char *names)
{
	for (const char *const *u = unsafe; *u; u++) {
		size_t n = strlen(*u);
		for (const char *s = names; s; s = strchr(s, ','), s = s ? s + 1 : NULL)
			if (!strncmp(s, *u, n) && (s[n] == 0 || s[n] == ','))
				return 1;
	}
	return 0;
}

char *pr_safe_demuxers(void)
{
	AVBPrint b;
	void *it = NULL;
	const AVInputFormat *f;
	char *out = NULL;
	av_bprint_init(&b, 0, AV_BPRINT_SIZE_UNLIMITED);
	while ((f = av_demuxer_iterate(&it)))
		if (!is_unsafe(f->name))
			av_bprintf(&b, "%s%s", b.len ? "," : "", f->name);
	av_bprint_finalize(&b, &out);
	return out;
}

int pr_find_stream_info(AVFormatContext *f, int64_t max_pixels, int *too_large)
{
	unsigned n = f->nb_streams;
	AVDictionary **opts = av_calloc(n ? n : 1, sizeof *opts);
	if (!opts)
		return AVERROR(ENOMEM);
	for (unsigned i = 0; i < n; i++) {
		av_dict_set_int(&opts[i], "max_pixels", max_pixels, 0);
		if (pr_read_header(f, f->streams[i], max_pixels))
			av_dict_set(&opts[i], "skip_frame", "all", 0);
	}
	pr_owner_take_elsewhere();
	int r = avformat_find_stream_info(f, opts); /* its decoders have no threads of their own */
	*too_large = pr_owner_take_elsewhere();
	for (unsigned i = 0; i < n; i++)
		av_dict_free(&opts[i]);
	av_free(opts);
	return r;
}

/* Demuxers that look for the next packet of a damaged stream return EAGAIN now and then while they do. */
static int has_moved(const AVFormatContext *f, int64_t from) { return f->pb && f->pb->pos != from; }

int pr_read(AVFormatContext *f, AVPacket *p, char *why, size_t size)
{
	int64_t from;
	int r;
	do {
		from = f->pb ? f->pb->pos : 0;
		pr_log_clear();
		r = av_read_frame(f, p);
	} while (r == AVERROR(EAGAIN) && has_moved(f, from));
	if (r == AVERROR(EIO) && f->pb && avio_feof(f->pb) && !f->pb->error)
		r = AVERROR_EOF; /* how old demuxers (RoQ) say so */
	if (r < 0)
		pr_log_first_error(why, size);
	return r;
}

void pr_discard(AVStream *st, int drop) { st->discard = drop ? AVDISCARD_ALL : AVDISCARD_DEFAULT; }

int64_t pr_packet_duration_us(const AVStream *st, const AVCodecContext *c)
{
	if (c->framerate.num <= 0 || c->framerate.den <= 0 || c->ticks_per_frame <= 0)
		return 0;
	const AVCodecParserContext *parser = av_stream_get_parser(st);
	int64_t ticks = parser ? parser->repeat_pict + 1 : c->ticks_per_frame;
	return (int64_t)AV_TIME_BASE * c->framerate.den * ticks / c->framerate.num / c->ticks_per_frame;
}

void pr_stream_read(const AVStream *st, pr_stream_facts *out)
{
	*out = (pr_stream_facts){
		.start = st->start_time,
		.disposition = st->disposition,
		.video_delay = st->codecpar->video_delay,
		.wrap_bits = st->pts_wrap_bits,
		.is_picture = !!(st->disposition &
		                 (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS)),
	};
	size_t n = 0;
	const uint8_t *m = av_stream_get_side_data(st, AV_PKT_DATA_DISPLAYMATRIX, &n);
	if (m && n >= sizeof out->matrix) {
		memcpy(out->matrix, m, sizeof out->matrix);
		out->has_matrix = 1;
	}
}

int pr_dpb(enum AVCodecID id)
{
	const AVCodecDescriptor *d = avcodec_descriptor_get(id);
	switch (id) {
	case AV_CODEC_ID_H264: /* A.3.1: MaxDpbFrames */
	case AV_CODEC_ID_HEVC: /* A.4.2: maxDpbSize */
		return 16;
	case AV_CODEC_ID_VP9: /* 8 reference slots and the one being shown */
	case AV_CODEC_ID_AV1:
		return 9;
	case AV_CODEC_ID_VP8: /* last, golden, altref */
		return 4;
	default:
		/* Intra: the picture itself. Others: two references, and B pictures in between. */
		return d && (d->props & AV_CODEC_PROP_INTRA_ONLY) ? 1 : 4;
	}
}

int pr_tells_damage_late(enum AVCodecID id)
{
	switch (id) { /* those that repair pictures (error_resilience.c) and can decode several at once */
	case AV_CODEC_ID_H264:
	case AV_CODEC_ID_MPEG4:
	case AV_CODEC_ID_RV30:
	case AV_CODEC_ID_RV40:
		return 1;
	default:
		return 0;
	}
}

void pr_decoder_setup(AVCodecContext *c, const AVStream *st, int64_t max_pixels)
{
	c->max_pixels = max_pixels;
	c->pkt_timebase = st->time_base;
	c->framerate = st->avg_frame_rate;
}

int pr_rewind(AVFormatContext *fc)
{
	int64_t start = fc->start_time == AV_NOPTS_VALUE ? 0 : fc->start_time;
	/* Transport streams find a time by searching, and end behind the first pictures. */
	if (!(fc->iformat->flags & AVFMT_TS_DISCONT) && av_seek_frame(fc, -1, start, AVSEEK_FLAG_BACKWARD) >= 0)
		return 0;
	return av_seek_frame(fc, -1, 0, AVSEEK_FLAG_BYTE); /* raw streams have no index, either */
}

/* The decoding time that is looked for lies before the presentation time by the reordering delay,
 * which is not known: three frames of a film, as in fftools/ffmpeg_opt.c. */
static int64_t reordering(const AVFormatContext *fc)
{
	if (fc->iformat->flags & AVFMT_SEEK_TO_PTS)
		return 0;
	for (unsigned i = 0; i < fc->nb_streams; i++)
		if (fc->streams[i]->codecpar->video_delay)
			return 3 * AV_TIME_BASE / 23;
	return 0;
}

int pr_seek(AVFormatContext *fc, int64_t us)
{
	us -= reordering(fc);
	return avformat_seek_file(fc, -1, INT64_MIN, us, us, 0);
}

int pr_seekable(const AVFormatContext *fc) { return fc->pb && (fc->pb->seekable & AVIO_SEEKABLE_NORMAL); }
