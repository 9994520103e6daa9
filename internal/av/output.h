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

/* Whether the muxer can store the codec of that name: 1, 0, or an AVERROR when it does not say. */
int pr_can_store(const AVFormatContext *f, const char *codec);

/* The muxer's default encoder for video or sound, NULL when it has none; the codec that an encoder
 * makes, NULL when there is no such encoder. */
const char *pr_default_encoder(const AVFormatContext *f, int video);
const char *pr_encoder_codec(const char *encoder);

/* Gives an encoded stream the tag that most players know, where the muxer's own choice is another. */
void pr_tag_stream(const AVFormatContext *f, AVStream *st);

/* Describes a stream that an open encoder of sound or subtitles makes. Returns an AVERROR. */
int pr_describe_made(AVStream *st, const AVCodecContext *c);

/* Marks the first stream of each kind as the default one, unless one of the kind is. */
void pr_default_dispositions(AVFormatContext *f);

/* Converts a copied packet's times so that sound keeps its exact length though the input's time
 * stamps are rounded. delta begins as AV_NOPTS_VALUE. */
void pr_rescale_sound(AVPacket *p, const AVStream *st, AVRational from, int64_t *delta);

/* Adds a chapter, NULL: out of memory. */
AVChapter *pr_add_chapter(AVFormatContext *f, int64_t id, AVRational time_base, int64_t start, int64_t end);

void pr_set_disposition(AVStream *st, int disposition);

/* Describes a stream of unencoded pictures like p, whose codec is id. */
void pr_raw_stream(AVStream *st, enum AVCodecID id, const pr_lent *p, AVRational time_base, AVRational rate);

/* Writes one packet of bytes that stay the caller's, at once. pkt is scratch. Returns an AVERROR. */
int pr_mux_bytes(AVFormatContext *f, AVPacket *pkt, const uint8_t *data, int size, int64_t pts, int64_t dts);

/* Writes the text and then the rows of each plane, bytes wide, past the muxer. */
void pr_write_rows(AVFormatContext *f, const char *head, const pr_lent *p, const int bytes[4]);

#endif
