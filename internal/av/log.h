#ifndef PR_LOG_H
#define PR_LOG_H

#include <stddef.h>
#include <stdint.h>

/* Takes over FFmpeg's log: lines are counted by severity, the first error line of each thread is
 * kept, and lines up to the verbosity are passed on to standard error. No Go code is called. */
void pr_log_install(void);

/* Lines up to this level (AV_LOG_*) go to standard error; AV_LOG_QUIET: none, the default. */
void pr_log_verbosity(int level);

void pr_log_counts(int64_t *errors, int64_t *warnings);

/* Copies the calling thread's first error line since pr_log_clear, "" when there was none. */
/* The first warning of this thread, as pr_log_first_error. */
void pr_log_first_warning(char *dst, size_t size);
void pr_log_first_error(char *dst, size_t size);
void pr_log_clear(void);

#endif
