#include "log.h"
#include "owner.h"

#include <libavutil/log.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int verbosity = AV_LOG_QUIET;
static _Atomic int64_t errors, warnings;
static _Thread_local char first_error[512], first_warning[512];

/* The first error of an operation names the cause; what follows it are consequences. */
static void keep(char first[512], void *ctx, int level, const char *fmt, va_list args)
{
	int prefix = 0;
	va_list again;
	if (first[0])
		return;
	va_copy(again, args);
	if (av_log_format_line2(ctx, level, fmt, again, first, 512, &prefix) >= 0)
		first[strcspn(first, "\r\n")] = 0;
	va_end(again);
}

static void on_line(void *ctx, int level, const char *fmt, va_list args)
{
	level &= 0xff; /* higher bits are a tint */
	if (level <= AV_LOG_ERROR) {
		pr_owner_hears(ctx, fmt);
		atomic_fetch_add(&errors, 1);
		keep(first_error, ctx, level, fmt, args);
	} else if (level <= AV_LOG_WARNING) {
		atomic_fetch_add(&warnings, 1);
		keep(first_warning, ctx, level, fmt, args);
	}
	if (level <= atomic_load(&verbosity))
		av_log_default_callback(ctx, level, fmt, args);
}

void pr_log_install(void)
{
	av_log_set_callback(on_line);
	setenv("SVT_LOG", "0", 0); /* SVT-AV1 talks past FFmpeg's log: not at all, unless the user chose */
}

void pr_log_verbosity(int level)
{
	av_log_set_level(level > AV_LOG_INFO ? level : AV_LOG_INFO);
	atomic_store(&verbosity, level);
}

void pr_log_counts(int64_t *e, int64_t *w)
{
	*e = atomic_load(&errors);
	*w = atomic_load(&warnings);
}

void pr_log_first_error(char *dst, size_t size) { snprintf(dst, size, "%s", first_error); }

void pr_log_first_warning(char *dst, size_t size) { snprintf(dst, size, "%s", first_warning); }

void pr_log_clear(void) { first_error[0] = first_warning[0] = 0; }
