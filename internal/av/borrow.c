#include "borrow.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct loan {
	pr_loans *owner;
	int id;
	struct loan *next;
} loan;

struct pr_loans {
	pthread_mutex_t mu;
	int refs; /* the owner's, and one for each running loan */
	loan *done;
	loan *spare;
};

pr_loans *pr_loans_new(void)
{
	pr_loans *l = calloc(1, sizeof *l);
	if (!l)
		return NULL;
	pthread_mutex_init(&l->mu, NULL);
	l->refs = 1;
	return l;
}

static void free_list(loan *n)
{
	for (loan *next; n; n = next) {
		next = n->next;
		free(n);
	}
}

static void unref_locked(pr_loans *l)
{
	int last = --l->refs == 0;
	pthread_mutex_unlock(&l->mu);
	if (!last)
		return;
	free_list(l->done);
	free_list(l->spare);
	pthread_mutex_destroy(&l->mu);
	free(l);
}

void pr_loans_unref(pr_loans *l)
{
	pthread_mutex_lock(&l->mu);
	unref_locked(l);
}

static loan *begin(pr_loans *l, int id)
{
	pthread_mutex_lock(&l->mu);
	loan *n = l->spare;
	if (n)
		l->spare = n->next;
	else
		n = malloc(sizeof *n);
	if (n) {
		*n = (loan){.owner = l, .id = id};
		l->refs++;
	}
	pthread_mutex_unlock(&l->mu);
	return n;
}

/* av_buffer's free callback: any thread. */
static void end(void *opaque, uint8_t *data)
{
	loan *n = opaque;
	pr_loans *l = n->owner;
	(void)data;
	pthread_mutex_lock(&l->mu);
	n->next = l->done;
	l->done = n;
	unref_locked(l);
}

static void cancel(loan *n)
{
	pr_loans *l = n->owner;
	pthread_mutex_lock(&l->mu);
	n->next = l->spare;
	l->spare = n;
	unref_locked(l);
}

/* The part of memory that holds the first plane; libavcodec asks no more of a buffer than that it
 * counts references. */
static AVBufferRef *count_references(const pr_lent *p, loan *n)
{
	int stride = p->stride[0] < 0 ? -p->stride[0] : p->stride[0];
	uint8_t *low = p->stride[0] < 0 ? p->data[0] + (ptrdiff_t)p->stride[0] * (p->rows[0] - 1) : p->data[0];
	return av_buffer_create(low, (size_t)stride * p->rows[0], end, n, AV_BUFFER_FLAG_READONLY);
}

static int copy_side_data(AVFrame *f, const AVFrame *side)
{
	for (int i = 0; side && i < side->nb_side_data; i++) {
		const AVFrameSideData *sd = side->side_data[i];
		AVBufferRef *ref = av_buffer_ref(sd->buf);
		if (!av_frame_new_side_data_from_buf(f, sd->type, ref)) {
			av_buffer_unref(&ref);
			return AVERROR(ENOMEM);
		}
	}
	return 0;
}

int pr_lend(pr_loans *l, const pr_lent *p, const AVFrame *side, int id, AVFrame *f)
{
	int r = copy_side_data(f, side);
	loan *n = r < 0 ? NULL : begin(l, id);
	if (!n) {
		av_frame_unref(f);
		return r < 0 ? r : AVERROR(ENOMEM);
	}
	if (!(f->buf[0] = count_references(p, n))) {
		cancel(n);
		av_frame_unref(f);
		return AVERROR(ENOMEM);
	}
	for (int i = 0; i < 4; i++) {
		f->data[i] = p->data[i];
		f->linesize[i] = p->stride[i];
	}
	f->format = p->format;
	f->width = p->width;
	f->height = p->height;
	f->pts = p->pts;
	f->sample_aspect_ratio = p->sar;
	f->interlaced_frame = p->interlaced;
	f->top_field_first = p->top_field_first;
	f->color_range = p->color_range;
	f->colorspace = p->matrix;
	f->color_primaries = p->primaries;
	f->color_trc = p->transfer;
	f->chroma_location = p->chroma;
	return 0;
}

int pr_loans_take(pr_loans *l, int *ids, int max)
{
	int k = 0;
	pthread_mutex_lock(&l->mu);
	while (k < max && l->done) {
		loan *n = l->done;
		l->done = n->next;
		n->next = l->spare;
		l->spare = n;
		ids[k++] = n->id;
	}
	pthread_mutex_unlock(&l->mu);
	return k;
}
