#ifndef PR_INPUT_H
#define PR_INPUT_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

/* What an input may cost before a picture comes of it. It belongs to the thread that reads. */
typedef struct {
	int64_t max_bytes, max_wait_us; /* 0: no limit */
	int64_t bytes;                  /* read since the last picture; whoever sees one sets it to 0 */
	int64_t pos, since_us;          /* where reading stands, and since when it waits there */
	int ran_out;                    /* one of those below, for good */
} pr_patience;
enum { PR_PATIENT, PR_OUT_OF_BYTES, PR_OUT_OF_TIME };

/* What FFmpeg's blocking reads look at: they give up when it is set, or when patience has run out. */
typedef struct pr_interrupt pr_interrupt;
pr_interrupt *pr_interrupt_new(void);
void pr_interrupt_set(pr_interrupt *i, int on); /* from any thread */
pr_patience *pr_interrupt_patience(pr_interrupt *i);
void pr_interrupt_use(pr_interrupt *i, AVFormatContext *f);
void pr_interrupt_free(pr_interrupt *i);

/* The names of all demuxers but those that open other files than the one they are given, joined
 * by commas, for format_whitelist. The caller frees it with av_free. */
char *pr_safe_demuxers(void);

/* avformat_find_stream_info with decoders limited to max_pixels a picture. too_large: a decoder was told
 * of larger ones; its stream has no size then. Returns an AVERROR. */
int pr_find_stream_info(AVFormatContext *f, int64_t max_pixels, int *too_large);

/* av_read_frame. When there is no packet, why is the first error that the demuxer logged, or "".
 * EAGAIN: nothing could be read now. */
int pr_read(AVFormatContext *f, AVPacket *p, char *why, size_t size);

/* Makes the demuxer drop the packets of a stream, or not. */
void pr_discard(AVStream *st, int drop);

/* What the packet's duration would be, in microseconds, when it does not say: from the frame rate
 * and the parser's count of fields. 0 when unknown. */
int64_t pr_packet_duration_us(const AVStream *st, const AVCodecContext *c);

/* The facts of a stream that go-astiav does not show. */
typedef struct {
	int64_t start; /* in the stream's time base, AV_NOPTS_VALUE: unknown */
	int disposition, video_delay, wrap_bits;
	int is_picture; /* an attached picture, or still images only */
	int has_matrix;
	int32_t matrix[9];
} pr_stream_facts;
void pr_stream_read(const AVStream *st, pr_stream_facts *out);

/* The largest number of pictures that a decoder of this codec keeps as references or to put them
 * in order. */
int pr_dpb(enum AVCodecID id);

/* Whether threads make the decoder of this codec unsure of which pictures are damaged. */
int pr_tells_damage_late(enum AVCodecID id);

/* Readies an unopened decoder: limit, packet time base, frame rate. */
void pr_decoder_setup(AVCodecContext *c, const AVStream *st, int64_t max_pixels);

/* Goes back to the beginning. */
int pr_rewind(AVFormatContext *fc);

/* Goes to a key frame before a time in microseconds, as FFmpeg's program does for -ss. */
int pr_seek(AVFormatContext *fc, int64_t us);

/* Whether the input can be read from any place. */
int pr_seekable(const AVFormatContext *fc);

#endif
