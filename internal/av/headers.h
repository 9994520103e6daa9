#ifndef PR_HEADERS_H
#define PR_HEADERS_H

#include <libavformat/avformat.h>

/* Describes a stream as avformat_find_stream_info would, from the header of its first picture, without
 * decoding that. Returns whether it could; then pictures need not be decoded there (skip_frame). The input stays
 * where it is. */
int pr_read_header(AVFormatContext *f, AVStream *st, int64_t max_pixels);

#endif
