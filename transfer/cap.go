package transfer

import (
	"errors"
	"fmt"
	"sync"
)

// ErrCap is matched by errors that say the cap on staging memory would have been exceeded. The
// driver was not asked.
var ErrCap = errors.New("the cap on staging memory is reached")

// Cap is a limit in bytes shared by arenas. It counts what they have from the driver, whether a slot
// lies in it or not. Safe for concurrent use.
type Cap struct {
	mu    sync.Mutex
	limit int64
	used  int64
}

// NewCap makes a cap; limit 0 is "none".
func NewCap(limit int64) *Cap { return &Cap{limit: limit} }

// take books bytes if they fit.
func (c *Cap) take(bytes int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if bytes > 0 && c.limit > 0 && c.used+bytes > c.limit {
		return fmt.Errorf("%w: %d bytes in use, %d more asked for, cap %d", ErrCap, c.used, bytes, c.limit)
	}
	c.used += bytes
	return nil
}

// Reserve books bytes that are page-locked for the arena's device without being the arena's; negative ones end
// that.
func (a *Arena) Reserve(bytes int64) error { return a.cap.take(bytes) }

func (c *Cap) give(bytes int64) {
	c.mu.Lock()
	c.used -= bytes
	c.mu.Unlock()
}

// unlimited is what is left where there is no limit.
const unlimited = 1 << 62

// left is what may still be booked.
func (c *Cap) left() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.limit <= 0 {
		return unlimited
	}
	return c.limit - c.used
}
