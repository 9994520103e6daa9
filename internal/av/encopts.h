#ifndef PR_ENCOPTS_H
#define PR_ENCOPTS_H

#include <libavcodec/avcodec.h>

/* The names of all options of a video encoder, its own first, joined by commas; the named values of
 * one of its own options. The caller frees them with av_free. */
char *pr_encoder_options(const AVCodec *c);
char *pr_encoder_values(const AVCodec *c, const char *option);

/* Makes an unopened encoder work at a constant quantiser. */
void pr_encoder_quality(AVCodecContext *c, double q);

#endif
