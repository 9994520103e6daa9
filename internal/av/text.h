#ifndef PR_TEXT_H
#define PR_TEXT_H

#include <libavcodec/avcodec.h>

/* Converts subtitles of text from one codec to another. One thread at a time. */
typedef struct pr_text pr_text;

/* *out is set on error, too. Returns an AVERROR. */
int pr_text_open(pr_text **out, const AVCodecParameters *par, AVRational time_base, const AVCodec *enc);
void pr_text_free(pr_text *t);

/* Converts a packet: 1: out is filled, its times are in microseconds; 0: it shows nothing; or an
 * AVERROR. */
int pr_text_convert(pr_text *t, AVPacket *in, AVPacket *out);

AVCodecContext *pr_text_codec(pr_text *t);

/* Whether a codec's subtitles are text. */
int pr_is_text(const char *codec);

#endif
