#include "input.h"

#include <libavutil/time.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pr_interrupt {
	atomic_int on;
	const AVFormatContext *f;
	pr_patience patience;
};

/* A longer way than this in one step is a seek: nothing was read on it. */
#define LONGEST_READ (64 << 20)

/* Notes how far reading has come. */
static void follow(pr_patience *p, int64_t pos)
{
	int64_t step = pos - p->pos;
	if (step == 0)
		return;
	p->pos = pos;
	p->since_us = 0;
	if (step > 0 && step <= LONGEST_READ)
		p->bytes += step;
}

static int waits_too_long(pr_patience *p)
{
	if (!p->max_wait_us)
		return 0;
	int64_t now = av_gettime_relative();
	if (!p->since_us)
		p->since_us = now;
	return now - p->since_us > p->max_wait_us;
}

static int ran_out(pr_interrupt *i)
{
	pr_patience *p = &i->patience;
	if (!i->f->pb || !(p->max_bytes || p->max_wait_us))
		return 0;
	follow(p, i->f->pb->pos);
	if (p->max_bytes && p->bytes > p->max_bytes)
		p->ran_out = PR_OUT_OF_BYTES;
	else if (waits_too_long(p))
		p->ran_out = PR_OUT_OF_TIME;
	return p->ran_out;
}

static int asked(void *opaque)
{
	pr_interrupt *i = opaque;
	return atomic_load(&i->on) || ran_out(i);
}

pr_interrupt *pr_interrupt_new(void) { return calloc(1, sizeof(pr_interrupt)); }

void pr_interrupt_set(pr_interrupt *i, int on) { atomic_store(&i->on, on); }

pr_patience *pr_interrupt_patience(pr_interrupt *i) { return &i->patience; }

void pr_interrupt_use(pr_interrupt *i, AVFormatContext *f)
{
	i->f = f;
	f->interrupt_callback = (AVIOInterruptCB){asked, i};
}

void pr_interrupt_free(pr_interrupt *i) { free(i); }
