package budget

import (
	"context"
	"time"

	"github.com/pinring/pinring/internal/stopwatch"
)

// Clock tells the time and lets it pass. All methods may be called from any goroutine.
//
// Begin and End tell a virtual clock where the work is; the wall clock does not care. Frames begin
// in order. A frame has ended when its memory has been given back, or will be kept for good.
type Clock interface {
	// Now is the time since the clock's start; it never goes back.
	Now() time.Duration
	// Wait lets d pass. It returns early, with an error, when ctx is done or when waiting
	// cannot change anything any more.
	Wait(ctx context.Context, d time.Duration) error
	// Begin moves the clock to the moment at which the frame is admitted.
	Begin(ctx context.Context, frame int64) error
	// End says that the frame's memory has been given back.
	End(frame int64)
}

// Wall is the ordinary, monotonic clock.
type Wall struct{ start time.Duration }

var _ Clock = (*Wall)(nil)

// NewWall starts a clock at zero.
func NewWall() *Wall { return &Wall{start: stopwatch.Now()} }

// Now is the time since the start.
func (w *Wall) Now() time.Duration { return stopwatch.Since(w.start) }

// Wait sleeps for d or until ctx is done.
func (w *Wall) Wait(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Begin only looks at ctx.
func (w *Wall) Begin(ctx context.Context, _ int64) error { return ctx.Err() }

// End does nothing.
func (w *Wall) End(int64) {}
