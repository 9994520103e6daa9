#ifndef PR_SOUND_H
#define PR_SOUND_H

#include <libavcodec/avcodec.h>

/* Decodes one stream of sound and encodes it anew: decoder, resampler, queue of samples, encoder.
 * One thread at a time. */
typedef struct pr_sound pr_sound;

/* Opens both codecs; bit_rate 0: by the number of channels. *out is set on error, too. Returns an
 * AVERROR. */
int pr_sound_open(pr_sound **out, const AVCodecParameters *par, AVRational time_base, const AVCodec *enc,
                  int64_t bit_rate, int global_header);
void pr_sound_free(pr_sound *s);

/* Leaves out what lies before time 0, if begins, and what lies after length_us, if that is not 0. */
void pr_sound_cut(pr_sound *s, int begins, int64_t length_us);

/* Takes a packet, which stays the caller's; NULL: none follows. Damage is counted, not returned. */
int pr_sound_send(pr_sound *s, const AVPacket *p);

/* Gives the next encoded packet: 0, AVERROR(EAGAIN), AVERROR_EOF or another AVERROR. Its times count
 * samples (see pr_sound_codec's time_base). */
int pr_sound_receive(pr_sound *s, AVPacket *out);

AVCodecContext *pr_sound_codec(pr_sound *s);
int64_t pr_sound_damaged(const pr_sound *s);

#endif
