#ifndef PR_LAYOUT_H
#define PR_LAYOUT_H

#include <libavcodec/avcodec.h>
#include <stddef.h>

/* How the planes of a picture lie in one block of memory. Bytes, except width and height. */
typedef struct {
	int format; /* AVPixelFormat */
	int width, height;
	int planes;
	size_t offset[4];
	int stride[4];
	int row_bytes[4]; /* of a row that hold pixels */
	int rows[4];
	size_t size; /* of the whole block, padding included */
} pr_layout;

/* The layout that a decoder needs for a buffer of this format and size (the size that get_buffer2
 * is asked for). Returns an AVERROR. Thread-safe as long as c is the calling thread's own. */
int pr_layout_for_decoder(AVCodecContext *c, int format, int width, int height, pr_layout *out);

/* A layout with every row and every plane aligned to align bytes. Returns an AVERROR. */
int pr_layout_aligned(int format, int width, int height, int align, pr_layout *out);

/* Fills planes, row_bytes and rows for a picture of the given size. Returns an AVERROR. */
int pr_layout_rows(int format, int width, int height, pr_layout *out);

#endif
