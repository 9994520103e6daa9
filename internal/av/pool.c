#include "pool.h"
#include "owner.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct slot {
	pr_pool *pool;
	uint8_t *base;
	size_t size;
	int id;
	int busy, retired;
	struct slot *next;      /* in the list of all slots */
	struct slot *next_free; /* in the list of free slots, or of returned ones */
} slot;

struct pr_pool {
	pthread_mutex_t mu;
	int refs; /* the owner's, and one for each busy slot */
	slot *all;
	slot *free; /* last in, first out: slots that were never needed stay untouched */
	slot *returned;
	pr_pool_stats stats;
};

pr_pool *pr_pool_new(void)
{
	pr_pool *p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	pthread_mutex_init(&p->mu, NULL);
	p->refs = 1;
	return p;
}

static void destroy(pr_pool *p)
{
	for (slot *s = p->all, *next; s; s = next) {
		next = s->next;
		free(s);
	}
	pthread_mutex_destroy(&p->mu);
	free(p);
}

/* Drops one reference; the caller holds the lock, which this gives up. */
static void unref_locked(pr_pool *p)
{
	int last = --p->refs == 0;
	pthread_mutex_unlock(&p->mu);
	if (last)
		destroy(p);
}

void pr_pool_unref(pr_pool *p)
{
	pthread_mutex_lock(&p->mu);
	unref_locked(p);
}

int pr_pool_add(pr_pool *p, void *base, size_t size, int id)
{
	slot *s = calloc(1, sizeof *s);
	if (!s)
		return AVERROR(ENOMEM);
	*s = (slot){.pool = p, .base = base, .size = size, .id = id};
	pthread_mutex_lock(&p->mu);
	s->next = p->all;
	p->all = s;
	s->next_free = p->free;
	p->free = s;
	p->stats.slots++;
	pthread_mutex_unlock(&p->mu);
	return 0;
}

static void list_returned(pr_pool *p, slot *s)
{
	s->next_free = p->returned;
	p->returned = s;
	p->stats.returned++;
}

/* av_buffer's free callback: any thread. */
static void release(void *opaque, uint8_t *data)
{
	slot *s = opaque;
	pr_pool *p = s->pool;
	(void)data;
	pthread_mutex_lock(&p->mu);
	s->busy = 0;
	p->stats.busy--;
	if (s->retired) {
		list_returned(p, s);
	} else {
		s->next_free = p->free;
		p->free = s;
	}
	unref_locked(p);
}

void pr_pool_retire(pr_pool *p, size_t size)
{
	pthread_mutex_lock(&p->mu);
	slot **link = &p->free;
	while (*link) {
		slot *s = *link;
		if (s->size >= size) {
			link = &s->next_free;
			continue;
		}
		*link = s->next_free;
		list_returned(p, s);
	}
	for (slot *s = p->all; s; s = s->next) {
		if (s->size < size && !s->retired) {
			s->retired = 1;
			p->stats.slots--;
		}
	}
	p->stats.demand = (pr_layout){0};
	pthread_mutex_unlock(&p->mu);
}

static void forget(pr_pool *p, slot *s)
{
	slot **link = &p->all;
	while (*link != s)
		link = &(*link)->next;
	*link = s->next;
	free(s);
}

int pr_pool_take_returned(pr_pool *p, int *ids, int max)
{
	int n = 0;
	pthread_mutex_lock(&p->mu);
	while (n < max && p->returned) {
		slot *s = p->returned;
		p->returned = s->next_free;
		p->stats.returned--;
		ids[n++] = s->id;
		forget(p, s);
	}
	pthread_mutex_unlock(&p->mu);
	return n;
}

/* Notes a picture that no slot of the pool could ever hold. */
static void note_demand(pr_pool *p, const pr_layout *l)
{
	if (l->size <= p->stats.demand.size)
		return;
	for (slot *s = p->all; s; s = s->next)
		if (!s->retired && s->size >= l->size)
			return; /* it is only busy */
	p->stats.demand = *l;
}

/* Takes a free slot with enough room, NULL when there is none. */
static slot *take(pr_pool *p, const pr_layout *l)
{
	pthread_mutex_lock(&p->mu);
	slot **link = &p->free, *s;
	while ((s = *link) && s->size < l->size)
		link = &s->next_free;
	if (s) {
		*link = s->next_free;
		s->busy = 1;
		p->refs++;
		p->stats.taken++;
		if (++p->stats.busy > p->stats.busy_max)
			p->stats.busy_max = p->stats.busy;
	} else {
		p->stats.fallbacks++;
		note_demand(p, l);
	}
	pthread_mutex_unlock(&p->mu);
	return s;
}

static int place(slot *s, const pr_layout *l, AVFrame *f)
{
	f->buf[0] = av_buffer_create(s->base, s->size, release, s, 0);
	if (!f->buf[0]) {
		release(s, s->base);
		return AVERROR(ENOMEM);
	}
	for (int i = 0; i < l->planes; i++) {
		f->data[i] = s->base + l->offset[i];
		f->linesize[i] = l->stride[i];
	}
	f->extended_data = f->data;
	return 0;
}

/* get_buffer2: runs on any of the decoder's threads. Never waits for a slot: frame threads wait
 * for one another, so that a wait here could last for ever. */
static int get_buffer(AVCodecContext *c, AVFrame *f, int flags)
{
	pr_layout l;
	if (pr_layout_for_decoder(c, f->format, f->width, f->height, &l) >= 0) {
		slot *s = take(((pr_owner *)c->opaque)->pool, &l);
		if (s)
			return place(s, &l, f);
	}
	return avcodec_default_get_buffer2(c, f, flags);
}

void pr_pool_attach(pr_pool *p, AVCodecContext *c)
{
	((pr_owner *)c->opaque)->pool = p;
	c->get_buffer2 = get_buffer;
#if LIBAVCODEC_VERSION_MAJOR < 60
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
	/* Without it frame threads hand each request to the caller's thread, one after another. */
	c->thread_safe_callbacks = 1;
#pragma GCC diagnostic pop
#endif
}

int pr_pool_id_of(pr_pool *p, const AVFrame *f)
{
	int id = -1;
	if (!f->buf[0])
		return -1;
	const slot *want = av_buffer_get_opaque(f->buf[0]);
	pthread_mutex_lock(&p->mu);
	for (const slot *s = p->all; s; s = s->next) {
		if (s == want && f->data[0] >= s->base && f->data[0] < s->base + s->size) {
			id = s->id;
			break;
		}
	}
	pthread_mutex_unlock(&p->mu);
	return id;
}

void pr_pool_read_stats(pr_pool *p, pr_pool_stats *out)
{
	pthread_mutex_lock(&p->mu);
	*out = p->stats;
	pthread_mutex_unlock(&p->mu);
}
