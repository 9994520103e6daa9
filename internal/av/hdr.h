#ifndef PR_HDR_H
#define PR_HDR_H

#include <libavformat/avformat.h>
#include <libavutil/frame.h>

/* Static HDR metadata; a denominator of 0 is "not known". */
typedef struct {
	AVRational primaries[3][2], white[2], min_luminance, max_luminance;
	int max_cll, max_fall;
} pr_hdr;

/* Reads a picture's or a stream's. Returns 0 when there is none. */
int pr_hdr_of_frame(const AVFrame *f, pr_hdr *out);
int pr_hdr_of_stream(const AVStream *st, pr_hdr *out);

/* Gives a stream of an output the metadata. Returns an AVERROR. */
int pr_hdr_set(AVStream *st, const pr_hdr *h);

#endif
