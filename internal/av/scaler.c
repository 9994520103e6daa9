#include "scaler.h"

struct SwsContext *pr_scaler_for(struct SwsContext *ctx, int w, int h, int from, int to,
                                 int matrix, int full_from, int full_to)
{
	/* Accurate and with all chroma: this stands in for a conversion that a filter would do. */
	int flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP;
	ctx = sws_getCachedContext(ctx, w, h, from, w, h, to, flags, NULL, NULL, NULL);
	if (!ctx)
		return NULL;
	const int *c = sws_getCoefficients(matrix);
	/* Refused for formats without a matrix, which do not need one. */
	sws_setColorspaceDetails(ctx, c, full_from, c, full_to, 0, 1 << 16, 1 << 16);
	return ctx;
}
