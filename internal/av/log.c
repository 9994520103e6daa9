#include "log.h"

#include <libavutil/log.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_int verbosity = AV_LOG_QUIET;
static _Atomic int64_t errors, warnings;
static _Thread_local char last_error[512];

static void keep(void *ctx, int level, const char *fmt, va_list args)
{
	int prefix = 1;
	char line[sizeof last_error];
	if (av_log_format_line2(ctx, level, fmt, args, line, sizeof line, &prefix) < 0)
		return;
	line[strcspn(line, "\r\n")] = 0;
	if (line[0])
		memcpy(last_error, line, sizeof line);
}

static void on_line(void *ctx, int level, const char *fmt, va_list args)
{
	level &= 0xff; /* higher bits are a tint */
	if (level <= AV_LOG_ERROR) {
		va_list again;
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

void pr_log_install(void) { av_log_set_callback(on_line); }

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

void pr_log_last_error(char *dst, size_t size) { snprintf(dst, size, "%s", last_error); }

void pr_log_clear(void) { last_error[0] = 0; }
