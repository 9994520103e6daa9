#include "picture.h"

#include <libavutil/imgutils.h>
#include <string.h>

int pr_describe(const AVFrame *f, pr_picture *out)
{
	int r = pr_layout_rows(f->format, f->width, f->height, &out->at);
	if (r < 0)
		return r;
	for (int i = 0; i < 4; i++) {
		out->data[i] = f->data[i];
		out->at.stride[i] = f->linesize[i];
	}
	if (out->at.planes > 1 && !f->data[1])
		out->at.planes = 1; /* a format with an optional palette */
	out->best_effort_pts = f->best_effort_timestamp;
	out->duration = f->pkt_duration;
	out->sar = f->sample_aspect_ratio;
	out->interlaced = f->interlaced_frame;
	out->top_field_first = f->top_field_first;
	out->key = f->key_frame;
	out->corrupt = f->decode_error_flags || (f->flags & AV_FRAME_FLAG_CORRUPT);
	out->color_range = f->color_range;
	out->matrix = f->colorspace;
	out->primaries = f->color_primaries;
	out->transfer = f->color_trc;
	out->chroma = f->chroma_location;
	out->block = -1;
	return 0;
}

/* The demuxer guesses missing time stamps from the reordering delay, which it cannot always see;
 * the decoder knows it. Only H.264's guess makes use of it. */
static void tell_delay(const AVCodecContext *c, AVStream *st)
{
	if (c->codec_id == AV_CODEC_ID_H264 && st->codecpar->video_delay < c->has_b_frames)
		st->codecpar->video_delay = c->has_b_frames;
}

int pr_receive(AVCodecContext *c, AVStream *st, pr_pool *pool, AVFrame *f, pr_picture *out)
{
	int r = avcodec_receive_frame(c, f);
	tell_delay(c, st);
	if (r >= 0)
		r = pr_describe(f, out);
	if (pool) {
		pr_pool_stats s;
		pr_pool_read_stats(pool, &s);
		out->returned = s.returned;
		out->demand = s.demand.size;
		if (r >= 0)
			out->block = pr_pool_id_of(pool, f);
	}
	return r;
}

int pr_pack(uint8_t *const data[4], const int stride[4], int format, int width, int height,
            uint8_t *dst, int size)
{
	const uint8_t *src[4] = {data[0], data[1], data[2], data[3]};
	return av_image_copy_to_buffer(dst, size, src, stride, format, width, height, 1);
}

int pr_display_matrix(const AVFrame *f, int32_t out[9])
{
	const AVFrameSideData *sd = av_frame_get_side_data(f, AV_FRAME_DATA_DISPLAYMATRIX);
	if (!sd || sd->size < 9 * sizeof *out)
		return 0;
	memcpy(out, sd->data, 9 * sizeof *out);
	return 1;
}
