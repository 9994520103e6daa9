package av

// #include "log.h"
// #include <libavutil/log.h>
import "C"

import (
	"runtime"
	"sync"
)

// LogLevel is how much of FFmpeg's log goes to standard error.
type LogLevel int

// The log levels.
const (
	LogNothing  LogLevel = C.AV_LOG_QUIET
	LogErrors   LogLevel = C.AV_LOG_ERROR
	LogWarnings LogLevel = C.AV_LOG_WARNING
	LogVerbose  LogLevel = C.AV_LOG_VERBOSE
	LogDebug    LogLevel = C.AV_LOG_DEBUG
)

var installLog = sync.OnceFunc(func() { C.pr_log_install() })

// SetLogLevel sets how much of FFmpeg's log goes to standard error, for the whole process; nothing
// to begin with.
func SetLogLevel(l LogLevel) {
	installLog()
	C.pr_log_verbosity(C.int(l))
}

// LogCounts is how many error and warning lines FFmpeg has logged in this process.
func LogCounts() (errors, warnings int64) {
	var e, w C.int64_t
	C.pr_log_counts(&e, &w)
	return int64(e), int64(w)
}

// explained runs f and adds to its *Error the first error line that FFmpeg logged meanwhile on this
// thread.
func explained(f func() error) error {
	installLog()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	C.pr_log_clear()
	err := f()
	if e, ok := err.(*Error); ok && e.Detail == "" {
		var line [512]C.char
		C.pr_log_first_error(&line[0], C.size_t(len(line)))
		e.Detail = C.GoString(&line[0])
	}
	return err
}
