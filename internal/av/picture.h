#ifndef PR_PICTURE_H
#define PR_PICTURE_H

#include "layout.h"
#include "pool.h"
#include <libavformat/avformat.h>

/* What Go needs to know of a decoded picture, read in one call. */
typedef struct {
	uint8_t *data[4];
	pr_layout at; /* offset and size are not set */
	int64_t best_effort_pts, duration; /* in the stream's time base; AV_NOPTS_VALUE, 0: unknown */
	AVRational sar;
	int interlaced, top_field_first, key, corrupt;
	int color_range, matrix, primaries, transfer, chroma; /* libavutil's enums */
	int block;    /* the id of the pool's block, -1: elsewhere */
	int returned; /* blocks that the pool wants to give back */
	size_t demand; /* bytes of a block that the pool lacked; 0: none */
} pr_picture;

/* Receives the next picture into f and describes it. pool may be NULL. Returns what
 * avcodec_receive_frame returns; out is valid when that is 0, its returned and demand always. */
int pr_receive(AVCodecContext *c, AVStream *st, pr_pool *pool, AVFrame *f, pr_picture *out);

/* Describes a picture that did not come from pr_receive. Returns an AVERROR. */
int pr_describe(const AVFrame *f, pr_picture *out);

/* Copies the pixels, packed without padding, to dst. Returns bytes, or an AVERROR. */
int pr_pack(uint8_t *const data[4], const int stride[4], int format, int width, int height,
            uint8_t *dst, int size);

/* The 3x3 display matrix of a picture; 0 when it has none. */
int pr_display_matrix(const AVFrame *f, int32_t out[9]);

#endif
