#ifndef PR_OUTPUT_H
#define PR_OUTPUT_H

#include "borrow.h"
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

/* Readies an unopened encoder for pictures like p. */
void pr_encoder_setup(AVCodecContext *c, const pr_lent *p, AVRational time_base, AVRational rate,
                      int global_header);

/* How many pictures the encoder may keep after it took the next one. */
int pr_encoder_holds(const AVCodecContext *c);

/* The same, at most, for an encoder that is not open yet. threads 0: FFmpeg's choice. */
int pr_encoder_may_hold(const AVCodec *c, int threads, int b_frames);

/* The format of the list, which AV_PIX_FMT_NONE ends, that loses least of f. */
int pr_best_format(const enum AVPixelFormat *list, int f);

/* Whether the muxer can store the codec: 1, 0, or an AVERROR when it does not say. */
int pr_can_store(const AVFormatContext *f, enum AVCodecID id);

/* Adds a key to a stream's metadata, or the file's when st is NULL. Returns an AVERROR. */
int pr_set_metadata(AVFormatContext *f, AVStream *st, const char *key, const char *value);

void pr_set_disposition(AVStream *st, int disposition);

/* Describes a stream of unencoded pictures like p, whose codec is id. */
void pr_raw_stream(AVStream *st, enum AVCodecID id, const pr_lent *p, AVRational time_base, AVRational rate);

/* Writes one packet of bytes that stay the caller's, at once. pkt is scratch. Returns an AVERROR. */
int pr_mux_bytes(AVFormatContext *f, AVPacket *pkt, const uint8_t *data, int size, int64_t pts, int64_t dts);

/* The same for a picture, for muxers that take pictures (AV_CODEC_ID_WRAPPED_AVFRAME). */
int pr_mux_picture(AVFormatContext *f, AVPacket *pkt, AVFrame *scratch, const pr_lent *p);

/* Where the output is being written, in bytes; the size of the whole, which asks the system; and
 * the first error of the output, 0 or an AVERROR. */
int64_t pr_io_bytes(const AVFormatContext *f);
int64_t pr_io_size(const AVFormatContext *f);
int pr_io_error(const AVFormatContext *f);

#endif
