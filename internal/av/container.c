#include "output.h"

#include <string.h>

/* What a transport stream can name; its muxer would take anything else as bytes that no player
 * understands. */
static int ts_holds(enum AVCodecID id)
{
	switch (id) {
	case AV_CODEC_ID_H264:
	case AV_CODEC_ID_HEVC:
	case AV_CODEC_ID_MPEG1VIDEO:
	case AV_CODEC_ID_MPEG2VIDEO:
	case AV_CODEC_ID_MPEG4:
	case AV_CODEC_ID_CAVS:
	case AV_CODEC_ID_DIRAC:
	case AV_CODEC_ID_VC1:
	case AV_CODEC_ID_MP1:
	case AV_CODEC_ID_MP2:
	case AV_CODEC_ID_MP3:
	case AV_CODEC_ID_AAC:
	case AV_CODEC_ID_AAC_LATM:
	case AV_CODEC_ID_AC3:
	case AV_CODEC_ID_EAC3:
	case AV_CODEC_ID_DTS:
	case AV_CODEC_ID_TRUEHD:
	case AV_CODEC_ID_OPUS:
	case AV_CODEC_ID_S302M:
	case AV_CODEC_ID_DVB_SUBTITLE:
	case AV_CODEC_ID_DVB_TELETEXT:
		return 1;
	default:
		return 0;
	}
}

/* Matroska takes what AVI and WAV have a tag for, too; its own list lacks these. */
static int has_riff_tag(enum AVCodecID id)
{
	const struct AVCodecTag *const lists[] = {avformat_get_riff_video_tags(), avformat_get_riff_audio_tags(), NULL};
	return av_codec_get_tag(lists, id) != 0;
}

/* The muxer lists these for QuickTime, too, and then refuses them. */
static int mp4_only(enum AVCodecID id)
{
	switch (id) {
	case AV_CODEC_ID_AV1:
	case AV_CODEC_ID_VP9:
	case AV_CODEC_ID_FLAC:
	case AV_CODEC_ID_OPUS:
	case AV_CODEC_ID_TRUEHD:
		return 1;
	default:
		return 0;
	}
}

int pr_can_store(const AVFormatContext *f, const char *codec)
{
	const AVCodecDescriptor *d = avcodec_descriptor_get_by_name(codec);
	if (!d)
		return 0;
	if (!strcmp(f->oformat->name, "mpegts"))
		return ts_holds(d->id);
	if (!strcmp(f->oformat->name, "mov") && mp4_only(d->id))
		return 0;
	if (!strcmp(f->oformat->name, "mov") && d->id == AV_CODEC_ID_VORBIS)
		return 1; /* it writes it, and does not list it */
	if (!strcmp(f->oformat->name, "matroska") && has_riff_tag(d->id))
		return 1;
	return avformat_query_codec(f->oformat, d->id, FF_COMPLIANCE_NORMAL);
}

const char *pr_default_encoder(const AVFormatContext *f, int video)
{
	const AVCodec *c = avcodec_find_encoder(video ? f->oformat->video_codec : f->oformat->audio_codec);
	return c ? c->name : NULL;
}

const char *pr_encoder_codec(const char *encoder)
{
	const AVCodec *c = avcodec_find_encoder_by_name(encoder);
	return c ? avcodec_get_name(c->id) : NULL;
}

/* Apple's players take HEVC only as hvc1: its headers are beside the stream, which is so here. */
void pr_tag_stream(const AVFormatContext *f, AVStream *st)
{
	int family = !strcmp(f->oformat->name, "mp4") || !strcmp(f->oformat->name, "mov");
	if (family && st->codecpar->codec_id == AV_CODEC_ID_HEVC)
		st->codecpar->codec_tag = MKTAG('h', 'v', 'c', '1');
}

int pr_describe_made(AVStream *st, const AVCodecContext *c)
{
	st->time_base = c->time_base;
	return avcodec_parameters_from_context(st->codecpar, c);
}

void pr_default_dispositions(AVFormatContext *f)
{
	for (unsigned i = 0; i < f->nb_streams; i++) {
		enum AVMediaType type = f->streams[i]->codecpar->codec_type;
		int first = 1, one = 0;
		for (unsigned j = 0; j < f->nb_streams; j++) {
			const AVStream *o = f->streams[j];
			if (o->codecpar->codec_type != type || o->disposition & AV_DISPOSITION_ATTACHED_PIC)
				continue;
			first = first && j >= i;
			one |= o->disposition & AV_DISPOSITION_DEFAULT;
		}
		if (first && !one && type != AVMEDIA_TYPE_SUBTITLE && type != AVMEDIA_TYPE_ATTACHMENT)
			f->streams[i]->disposition |= AV_DISPOSITION_DEFAULT;
	}
}

void pr_rescale_sound(AVPacket *p, const AVStream *st, AVRational from, int64_t *delta)
{
	AVCodecParameters *par = st->codecpar;
	int samples = av_get_audio_frame_duration2(par, p->size);
	if (!samples)
		samples = par->frame_size;
	int64_t dts = p->dts == AV_NOPTS_VALUE ? p->pts : p->dts;
	av_packet_rescale_ts(p, from, st->time_base);
	if (dts == AV_NOPTS_VALUE || samples <= 0)
		return;
	p->pts = p->dts = av_rescale_delta(from, dts, (AVRational){1, par->sample_rate}, samples, delta, st->time_base);
}

AVChapter *pr_add_chapter(AVFormatContext *f, int64_t id, AVRational time_base, int64_t start, int64_t end)
{
	AVChapter *c = av_mallocz(sizeof *c);
	if (!c)
		return NULL;
	*c = (AVChapter){.id = id, .time_base = time_base, .start = start, .end = end};
	int n = f->nb_chapters;
	if (av_dynarray_add_nofree(&f->chapters, &n, c) < 0) {
		av_free(c);
		return NULL;
	}
	f->nb_chapters = n;
	return c;
}
