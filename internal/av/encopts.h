#ifndef PR_ENCOPTS_H
#define PR_ENCOPTS_H

#include <libavcodec/avcodec.h>

/* The names of all options of a video encoder, its own first, joined by commas; the named values of
 * one of its own options. The caller frees them with av_free. */
char *pr_encoder_options(const AVCodec *c);
char *pr_encoder_values(const AVCodec *c, const char *option);

/* Tries to set one option of an encoder that is not opened. Returns an AVERROR; allowed then says what the
 * option takes, empty when only the encoder knows. */
int pr_encoder_takes(const AVCodec *c, const char *option, const char *value, char *allowed, size_t size);

/* Brings an open encoder to its end that nothing more is wanted of; blank: it got no frame, and cannot end
 * without one. Returns an AVERROR. */
int pr_encoder_give_up(AVCodecContext *c, int blank);

/* Makes an unopened encoder work at a constant quantiser. */
void pr_encoder_quality(AVCodecContext *c, double q);

#endif
