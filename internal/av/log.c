#include "log.h"
#include "owner.h"

#include <libavutil/log.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int verbosity = AV_LOG_QUIET;
static _Atomic int64_t errors, warnings;
static _Thread_local char first_error[512];

/* The first error of an operation names the cause; what follows it are consequences. */
static void keep(void *ctx, int level, const char *fmt, va_list args)
{
	int prefix = 0;
	if (first_error[0] || av_log_format_line2(ctx, level, fmt, args, first_error, sizeof first_error, &prefix) < 0)
		return;
	first_error[strcspn(first_error, "\r\n")] = 0;
}

static void on_line(void *ctx, int level, const char *fmt, va_list args)
{
	level &= 0xff; /* higher bits are a tint */
	if (level <= AV_LOG_ERROR) {
		va_list again;
		pr_owner_hears(ctx, fmt);
		atomic_fetch_add(&errors, 1);
		va_copy(again, args);
		keep(ctx, level, fmt, again);
		va_end(again);
	} else if (level <= AV_LOG_WARNING) {
		atomic_fetch_add(&warnings, 1);
	}
	if (level <= atomic_load(&verbosity))
		av_log_default_callback(ctx, level, fmt, args);
}

void pr_log_install(void)
{
	av_log_set_callback(on_line);
	setenv("SVT_LOG", "1", 0); /* SVT-AV1 talks past FFmpeg's log: errors only, unless the user chose */
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

void pr_log_clear(void) { first_error[0] = 0; }
