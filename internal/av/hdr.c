#include "hdr.h"

#include <libavutil/mastering_display_metadata.h>
#include <string.h>

static int read(const AVMasteringDisplayMetadata *m, const AVContentLightMetadata *l, pr_hdr *out)
{
	memset(out, 0, sizeof *out);
	if (m && m->has_primaries) {
		memcpy(out->primaries, m->display_primaries, sizeof out->primaries);
		memcpy(out->white, m->white_point, sizeof out->white);
	}
	if (m && m->has_luminance) {
		out->min_luminance = m->min_luminance;
		out->max_luminance = m->max_luminance;
	}
	if (l) {
		out->max_cll = l->MaxCLL;
		out->max_fall = l->MaxFALL;
	}
	return m || l;
}

static const void *of_frame(const AVFrame *f, enum AVFrameSideDataType t)
{
	const AVFrameSideData *sd = av_frame_get_side_data(f, t);
	return sd ? sd->data : NULL;
}

int pr_hdr_of_frame(const AVFrame *f, pr_hdr *out)
{
	if (!f->nb_side_data)
		return 0;
	return read(of_frame(f, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA),
	            of_frame(f, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL), out);
}

int pr_hdr_of_stream(const AVStream *st, pr_hdr *out)
{
	return read((void *)av_stream_get_side_data(st, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, NULL),
	            (void *)av_stream_get_side_data(st, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, NULL), out);
}

static int add(AVStream *st, enum AVPacketSideDataType t, void *data, size_t size)
{
	int r = data ? av_stream_add_side_data(st, t, data, size) : AVERROR(ENOMEM);
	if (r < 0)
		av_free(data);
	return r;
}

int pr_hdr_set(AVStream *st, const pr_hdr *h)
{
	int r = 0;
	if (h->white[0].den || h->max_luminance.den) {
		AVMasteringDisplayMetadata *m = av_mastering_display_metadata_alloc();
		if (m) {
			memcpy(m->display_primaries, h->primaries, sizeof h->primaries);
			memcpy(m->white_point, h->white, sizeof h->white);
			m->min_luminance = h->min_luminance;
			m->max_luminance = h->max_luminance;
			m->has_primaries = h->white[0].den != 0;
			m->has_luminance = h->max_luminance.den != 0;
		}
		r = add(st, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, m, sizeof *m);
	}
	if (r >= 0 && (h->max_cll || h->max_fall)) {
		size_t size;
		AVContentLightMetadata *l = av_content_light_metadata_alloc(&size);
		if (l)
			*l = (AVContentLightMetadata){.MaxCLL = h->max_cll, .MaxFALL = h->max_fall};
		r = add(st, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, l, size);
	}
	return r;
}
