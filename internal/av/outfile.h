#ifndef PR_OUTFILE_H
#define PR_OUTFILE_H

#include <libavformat/avformat.h>

/* An output that is a pipe, a socket or a terminal: writes wait for the reader, until they are told
 * to give up. */
typedef struct pr_stream pr_stream;

/* Makes the file, which must be seekable, the muxer's output. Returns an AVERROR. */
int pr_out_file(AVFormatContext *f, const char *path);

/* Makes the descriptor the muxer's output. own: it is closed with it. NULL: out of memory. */
pr_stream *pr_out_stream(AVFormatContext *f, int fd, int own);

/* From now on a write that the reader takes nothing of for a second fails with AVERROR_EXIT. Any
 * thread. */
void pr_stream_hurry(pr_stream *s);

/* Flushes and closes the output. s may be NULL. Returns the first error of the output. */
int pr_out_close(AVFormatContext *f, pr_stream *s);

/* Where the output is being written, in bytes; the size of the whole, which asks the system; and
 * the first error of the output, 0 or an AVERROR. */
int64_t pr_io_bytes(const AVFormatContext *f);
int64_t pr_io_size(const AVFormatContext *f);
int pr_io_error(const AVFormatContext *f);

#endif
