#include "sound.h"

#include <libavutil/audio_fifo.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>
#include <stdlib.h>

/* A deviation of the input's time stamps from the count of samples: up to the first it is rounding
 * or jitter and left alone; beyond the third the clock is set anew instead of filling the gap.
 * Behind damage only the rounding of containers that count milliseconds is jitter. */
enum { JITTER_MS = 30, ROUNDING_MS = 2, LONGEST_GAP_S = 60, CHUNK = 4096 };

struct pr_sound {
	AVCodecContext *dec, *enc;
	SwrContext *swr;
	AVFrame *in, *out;
	AVAudioFifo *fifo;
	/* What swr was set up for. */
	int rate, format;
	AVChannelLayout layout;
	int64_t next;  /* time of the sample that enters the queue next, in samples of the encoder */
	int64_t from, until; /* what is wanted, in the same unit */
	int64_t damaged;
	int hurt;      /* a packet was damaged since the last frame */
	int begun, draining, flushed;
};

static int pick_rate(const AVCodec *c, int want)
{
	int best = 0;
	if (!c->supported_samplerates)
		return want;
	for (const int *r = c->supported_samplerates; *r; r++) {
		/* The same one, else the smallest that is larger, else the largest. */
		if (*r == want)
			return want;
		if (!best || (*r > want ? best < want || *r < best : best < want && *r > best))
			best = *r;
	}
	return best;
}

/* As many bits as the source has, or more; the first of the list when it does not say. */
static enum AVSampleFormat pick_format(const AVCodec *c, enum AVSampleFormat want)
{
	enum AVSampleFormat best = AV_SAMPLE_FMT_NONE;
	if (!c->sample_fmts)
		return want;
	for (const enum AVSampleFormat *f = c->sample_fmts; *f >= 0; f++) {
		if (av_get_packed_sample_fmt(*f) == av_get_packed_sample_fmt(want))
			return *f;
		if (best < 0 || (av_get_bytes_per_sample(best) < av_get_bytes_per_sample(want) &&
		                 av_get_bytes_per_sample(*f) > av_get_bytes_per_sample(best)))
			best = *f;
	}
	return best;
}

static int pick_layout(const AVCodec *c, const AVChannelLayout *want, AVChannelLayout *out)
{
	const AVChannelLayout *best = NULL;
	if (want->order == AV_CHANNEL_ORDER_UNSPEC)
		av_channel_layout_default(out, want->nb_channels);
	else if (av_channel_layout_copy(out, want) < 0)
		return AVERROR(ENOMEM);
	if (!c->ch_layouts)
		return 0;
	for (const AVChannelLayout *l = c->ch_layouts; l->nb_channels; l++) {
		if (!av_channel_layout_compare(l, out))
			return 0;
		if (l->nb_channels <= out->nb_channels && (!best || l->nb_channels > best->nb_channels))
			best = l;
	}
	if (!best)
		best = c->ch_layouts;
	av_channel_layout_uninit(out);
	return av_channel_layout_copy(out, best);
}

static int open_decoder(pr_sound *s, const AVCodecParameters *par, AVRational time_base)
{
	const AVCodec *c = avcodec_find_decoder(par->codec_id);
	if (!c)
		return AVERROR_DECODER_NOT_FOUND;
	if (!(s->dec = avcodec_alloc_context3(c)))
		return AVERROR(ENOMEM);
	int r = avcodec_parameters_to_context(s->dec, par);
	s->dec->pkt_timebase = time_base; /* so that it can leave out what encoders put before the sound */
	s->dec->thread_count = 1;
	return r < 0 ? r : avcodec_open2(s->dec, c, NULL);
}

static int open_encoder(pr_sound *s, const AVCodec *c, int64_t bit_rate, int global_header)
{
	if (!(s->enc = avcodec_alloc_context3(c)))
		return AVERROR(ENOMEM);
	AVCodecContext *e = s->enc;
	e->sample_rate = pick_rate(c, s->dec->sample_rate);
	e->sample_fmt = pick_format(c, s->dec->sample_fmt);
	int r = pick_layout(c, &s->dec->ch_layout, &e->ch_layout);
	if (r < 0)
		return r;
	e->time_base = (AVRational){1, e->sample_rate};
	e->thread_count = 1;
	if (e->sample_fmt == AV_SAMPLE_FMT_S32 || e->sample_fmt == AV_SAMPLE_FMT_S32P)
		e->bits_per_raw_sample = FFMIN(s->dec->bits_per_raw_sample ? s->dec->bits_per_raw_sample : 24, 24);
	const AVCodecDescriptor *d = avcodec_descriptor_get(c->id);
	if (bit_rate)
		e->bit_rate = bit_rate;
	else if (d && !(d->props & AV_CODEC_PROP_LOSSLESS) && c->id == AV_CODEC_ID_AAC)
		e->bit_rate = 64000LL * e->ch_layout.nb_channels; /* its default is for two channels */
	if (global_header)
		e->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
	return avcodec_open2(e, c, NULL);
}

int pr_sound_open(pr_sound **out, const AVCodecParameters *par, AVRational time_base, const AVCodec *enc,
                  int64_t bit_rate, int global_header)
{
	pr_sound *s = *out = calloc(1, sizeof *s);
	if (!s)
		return AVERROR(ENOMEM);
	s->from = INT64_MIN;
	s->until = INT64_MAX;
	s->in = av_frame_alloc();
	s->out = av_frame_alloc();
	if (!s->in || !s->out)
		return AVERROR(ENOMEM);
	int r = open_decoder(s, par, time_base);
	if (r >= 0 && (s->dec->sample_rate <= 0 || s->dec->ch_layout.nb_channels <= 0))
		r = AVERROR_INVALIDDATA;
	if (r >= 0)
		r = open_encoder(s, enc, bit_rate, global_header);
	if (r < 0)
		return r;
	s->fifo = av_audio_fifo_alloc(s->enc->sample_fmt, s->enc->ch_layout.nb_channels, CHUNK);
	return s->fifo ? 0 : AVERROR(ENOMEM);
}

void pr_sound_cut(pr_sound *s, int begins, int64_t length_us)
{
	if (begins)
		s->from = 0;
	if (length_us > 0)
		s->until = av_rescale_q(length_us, AV_TIME_BASE_Q, (AVRational){1, s->enc->sample_rate});
}

void pr_sound_free(pr_sound *s)
{
	if (!s)
		return;
	avcodec_free_context(&s->dec);
	avcodec_free_context(&s->enc);
	swr_free(&s->swr);
	av_frame_free(&s->in);
	av_frame_free(&s->out);
	if (s->fifo)
		av_audio_fifo_free(s->fifo);
	av_channel_layout_uninit(&s->layout);
	free(s);
}

/* Readies out for n samples of the encoder's kind. */
static int room(pr_sound *s, int n)
{
	av_frame_unref(s->out);
	s->out->nb_samples = n;
	s->out->format = s->enc->sample_fmt;
	s->out->sample_rate = s->enc->sample_rate;
	int r = av_channel_layout_copy(&s->out->ch_layout, &s->enc->ch_layout);
	return r < 0 ? r : av_frame_get_buffer(s->out, 0);
}

/* Puts n samples of out into the queue, those before skip left out, and those outside of the part. */
static int enqueue(pr_sound *s, int n, int64_t skip)
{
	if (skip >= n)
		return 0;
	if (s->next < s->from) {
		int64_t early = FFMIN(n - skip, s->from - s->next);
		skip += early;
		s->next += early;
	}
	n = FFMIN(n, skip + FFMAX(0, s->until - s->next));
	if (skip >= n)
		return 0;
	int planes = av_sample_fmt_is_planar(s->enc->sample_fmt) ? s->enc->ch_layout.nb_channels : 1;
	int step = av_get_bytes_per_sample(s->enc->sample_fmt) * (planes > 1 ? 1 : s->enc->ch_layout.nb_channels);
	void **data = av_calloc(planes, sizeof *data);
	if (!data)
		return AVERROR(ENOMEM);
	for (int i = 0; i < planes; i++)
		data[i] = s->out->extended_data[i] + skip * step;
	int r = av_audio_fifo_write(s->fifo, data, n - skip);
	av_free(data);
	if (r >= 0)
		s->next += n - skip;
	return r;
}

static int silence(pr_sound *s, int64_t n)
{
	while (n > 0) {
		int k = FFMIN(n, CHUNK);
		int r = room(s, k);
		if (r < 0)
			return r;
		av_samples_set_silence(s->out->extended_data, 0, k, s->out->ch_layout.nb_channels, s->out->format);
		if ((r = enqueue(s, k, 0)) < 0)
			return r;
		n -= k;
	}
	return 0;
}

/* Takes samples out of the resampler; src NULL: what it still holds. */
static int resample(pr_sound *s, const AVFrame *src, int64_t skip)
{
	int n = src ? src->nb_samples : 0;
	int most = swr_get_out_samples(s->swr, n);
	if (most <= 0)
		return most;
	int r = room(s, most);
	if (r < 0)
		return r;
	r = swr_convert(s->swr, s->out->extended_data, most, src ? (const uint8_t **)src->extended_data : NULL, n);
	return r <= 0 ? r : enqueue(s, r, skip);
}

/* Sets the resampler up for frames like f, unless it is. */
static int set_resampler(pr_sound *s, AVFrame *f)
{
	if (s->swr && s->rate == f->sample_rate && s->format == f->format && !av_channel_layout_compare(&s->layout, &f->ch_layout))
		return 0;
	int r = s->swr ? resample(s, NULL, 0) : 0;
	swr_free(&s->swr);
	if (r >= 0)
		r = swr_alloc_set_opts2(&s->swr, &s->enc->ch_layout, s->enc->sample_fmt, s->enc->sample_rate,
		                        &f->ch_layout, f->format, f->sample_rate, 0, NULL);
	if (r >= 0)
		r = swr_init(s->swr);
	if (r >= 0)
		r = av_channel_layout_copy(&s->layout, &f->ch_layout);
	s->rate = f->sample_rate;
	s->format = f->format;
	return r;
}

/* Compares the frame's time with the count of samples. Gaps are filled with silence, overlaps left
 * out (*skip), so that sound and picture stay together. */
static int keep_time(pr_sound *s, const AVFrame *f, int64_t *skip)
{
	AVRational samples = {1, s->enc->sample_rate};
	int64_t pts = f->best_effort_timestamp, rate = s->enc->sample_rate;
	*skip = 0;
	if (pts == AV_NOPTS_VALUE)
		return 0;
	int64_t t = av_rescale_q(pts, s->dec->pkt_timebase, samples);
	if (!s->begun) {
		s->next = t;
		return 0;
	}
	int64_t off = t - (s->next + swr_get_delay(s->swr, rate));
	int64_t jitter = s->hurt ? ROUNDING_MS : JITTER_MS;
	s->hurt = 0;
	if (FFABS(off) <= rate * jitter / 1000)
		return 0;
	if (off < 0) {
		*skip = -off;
		return 0;
	}
	if (off > rate * LONGEST_GAP_S && !av_audio_fifo_size(s->fifo)) {
		s->next = t;
		return 0;
	}
	return silence(s, FFMIN(off, rate * LONGEST_GAP_S));
}

static int take(pr_sound *s)
{
	int64_t skip;
	if (s->begun && s->next >= s->until)
		return 0;
	if (s->in->ch_layout.order == AV_CHANNEL_ORDER_UNSPEC)
		av_channel_layout_default(&s->in->ch_layout, s->in->ch_layout.nb_channels);
	int r = set_resampler(s, s->in);
	if (r >= 0)
		r = keep_time(s, s->in, &skip);
	s->begun = 1;
	return r < 0 ? r : resample(s, s->in, skip);
}

static void count_damage(pr_sound *s)
{
	s->damaged++;
	s->hurt = 1;
}

int pr_sound_send(pr_sound *s, const AVPacket *p)
{
	int r = avcodec_send_packet(s->dec, p);
	if (r < 0 && r != AVERROR_EOF)
		count_damage(s);
	while ((r = avcodec_receive_frame(s->dec, s->in)) >= 0) {
		r = take(s);
		av_frame_unref(s->in);
		if (r < 0)
			return r;
	}
	if (r != AVERROR(EAGAIN) && r != AVERROR_EOF)
		count_damage(s);
	if (p)
		return 0;
	s->draining = 1;
	return s->swr ? resample(s, NULL, 0) : 0;
}

/* Moves one frame from the queue to the encoder: AVERROR(EAGAIN) when there is not enough. */
static int encode(pr_sound *s)
{
	int have = av_audio_fifo_size(s->fifo), want = s->enc->frame_size ? s->enc->frame_size : FFMIN(have, CHUNK);
	if (s->flushed)
		return AVERROR_EOF;
	if (s->draining && !have) {
		s->flushed = 1;
		return avcodec_send_frame(s->enc, NULL);
	}
	if (!have || (have < want && !s->draining))
		return AVERROR(EAGAIN);
	int n = FFMIN(have, want), r = room(s, n);
	if (r < 0)
		return r;
	s->out->pts = s->next - have;
	if ((r = av_audio_fifo_read(s->fifo, (void **)s->out->extended_data, n)) < 0)
		return r;
	r = avcodec_send_frame(s->enc, s->out);
	av_frame_unref(s->out);
	return r;
}

int pr_sound_receive(pr_sound *s, AVPacket *out)
{
	for (;;) {
		int r = avcodec_receive_packet(s->enc, out);
		if (r != AVERROR(EAGAIN))
			return r;
		if ((r = encode(s)) < 0)
			return r;
	}
}

AVCodecContext *pr_sound_codec(pr_sound *s) { return s->enc; }

int64_t pr_sound_damaged(const pr_sound *s) { return s->damaged; }
