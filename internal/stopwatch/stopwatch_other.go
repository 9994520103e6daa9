//go:build !windows

package stopwatch

import "time"

var begin = time.Now()

// Now is the time since some moment in the past, the same one for this process. It may be called concurrently.
func Now() time.Duration { return time.Since(begin) }
