#ifndef PR_BORROW_H
#define PR_BORROW_H

#include "layout.h"
#include <stdint.h>

/* Pictures whose memory belongs to somebody else, lent to an encoder. When the encoder has let go
 * of one, on whatever thread, its id appears in a list. */
typedef struct pr_loans pr_loans;
pr_loans *pr_loans_new(void);
void pr_loans_unref(pr_loans *l);

/* What an encoder is told of a picture. */
typedef struct {
	uint8_t *data[4];
	int stride[4], rows[4];
	int format, width, height;
	int64_t pts;
	AVRational sar;
	int interlaced, top_field_first;
	int color_range, matrix, primaries, transfer, chroma;
} pr_lent;

/* Makes f, which must be blank, refer to the picture's memory, read-only. side may be NULL; its
 * side data are attached. Returns an AVERROR; the loan then has not begun. */
int pr_lend(pr_loans *l, const pr_lent *what, const AVFrame *side, int id, AVFrame *f);

/* Writes the ids of up to max finished loans. Returns how many. */
int pr_loans_take(pr_loans *l, int *ids, int max);

#endif
