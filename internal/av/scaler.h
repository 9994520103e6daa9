#ifndef PR_SCALER_H
#define PR_SCALER_H

#include <libswscale/swscale.h>

/* Makes ctx (NULL at first) convert w x h pictures from one pixel format to another of the same
 * size. matrix is an AVColorSpace for sws_getCoefficients, full_* say that codes span the full
 * range. Returns NULL when libswscale cannot do it. */
struct SwsContext *pr_scaler_for(struct SwsContext *ctx, int w, int h, int from, int to,
                                 int matrix, int full_from, int full_to);

#endif
