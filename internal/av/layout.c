#include "layout.h"

#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <limits.h>

/* Bytes that FFmpeg's decoders may touch beyond a plane: its default allocator adds 16 and the
 * largest stride alignment less one (libavcodec/get_buffer.c). */
enum { PLANE_ALIGN = 64, PLANE_SLACK = 16 + PLANE_ALIGN - 1, PAGE = 4096 };

static size_t align_up(size_t v, size_t a) { return (v + a - 1) & ~(a - 1); }

/* Widens w until every plane's stride is a multiple of its alignment. The strides are never
 * aligned one by one: decoders rely on their ratio (stride[0] == 2 * stride[1] for 4:2:2). */
static int aligned_strides(int stride[4], int format, int w, const int align[])
{
	for (;;) {
		int r = av_image_fill_linesizes(stride, format, w), unaligned = 0;
		if (r < 0)
			return r;
		for (int i = 0; i < 4; i++)
			if (align[i])
				unaligned |= stride[i] % align[i];
		if (!unaligned)
			return 0;
		w += w & ~(w - 1); /* the lowest set bit, doubled */
	}
}

int pr_layout_rows(int format, int width, int height, pr_layout *out)
{
	const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(format);
	if (!d || (d->flags & AV_PIX_FMT_FLAG_HWACCEL))
		return AVERROR(EINVAL);
	int n = av_pix_fmt_count_planes(format);
	if (n < 0)
		return n;
	for (int i = 0; i < n; i++) {
		int r = av_image_get_linesize(format, width, i);
		if (r < 0)
			return r;
		out->row_bytes[i] = r;
		out->rows[i] = i == 1 || i == 2 ? AV_CEIL_RSHIFT(height, d->log2_chroma_h) : height;
	}
	if (d->flags & AV_PIX_FMT_FLAG_PAL) {
		n = 2;
		out->row_bytes[1] = AVPALETTE_SIZE;
		out->rows[1] = 1;
	}
	out->format = format;
	out->width = width;
	out->height = height;
	out->planes = n;
	return 0;
}

/* Places the planes one after another; height is that of the memory, not of the picture. */
static int place(pr_layout *out, int height, size_t slack, size_t align)
{
	ptrdiff_t stride[4];
	size_t size[4], end = 0;
	for (int i = 0; i < 4; i++)
		stride[i] = out->stride[i];
	int r = av_image_fill_plane_sizes(size, out->format, height, stride);
	if (r < 0)
		return r;
	for (int i = 0; i < 4; i++) {
		out->offset[i] = end;
		if (size[i] > INT_MAX - slack)
			return AVERROR(EINVAL);
		if (size[i])
			end = align_up(end + size[i] + slack, align);
	}
	out->size = end;
	return 0;
}

int pr_layout_for_decoder(AVCodecContext *c, int format, int width, int height, pr_layout *out)
{
	int w = width, h = height, align[AV_NUM_DATA_POINTERS] = {0};
	*out = (pr_layout){0};
	int r = pr_layout_rows(format, width, height, out);
	if (r < 0)
		return r;
	avcodec_align_dimensions2(c, &w, &h, align);
	if ((r = aligned_strides(out->stride, format, w, align)) < 0)
		return r;
	if ((r = place(out, h, PLANE_SLACK, PLANE_ALIGN)) < 0)
		return r;
	out->size = align_up(out->size, PAGE);
	return 0;
}

int pr_layout_aligned(int format, int width, int height, int align, pr_layout *out)
{
	*out = (pr_layout){0};
	int r = av_image_check_size2(width, height, INT64_MAX, format, 0, NULL);
	if (r < 0)
		return r;
	if ((r = pr_layout_rows(format, width, height, out)) < 0)
		return r;
	for (int i = 0; i < out->planes; i++)
		out->stride[i] = align_up(out->row_bytes[i], align);
	return place(out, height, 0, align);
}
