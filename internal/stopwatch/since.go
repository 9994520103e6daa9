package stopwatch

import "time"

// Since is the time that passed since start, which came from [Now].
func Since(start time.Duration) time.Duration { return Now() - start }
