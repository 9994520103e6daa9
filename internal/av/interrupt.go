package av

// #include "input.h"
import "C"

import (
	"context"
	"sync"
	"time"
)

// interrupt ends FFmpeg's blocking reads when a context ends, or when an input is not worth it. One goroutine at a time.
type interrupt struct {
	c        *C.pr_interrupt
	patience *C.pr_patience // part of c, of the goroutine that reads
	ctx      context.Context
	stop     func() bool

	mu   sync.Mutex // orders a late callback with free
	gone bool
}

func newInterrupt() *interrupt {
	c := C.pr_interrupt_new()
	return &interrupt{c: c, patience: C.pr_interrupt_patience(c)}
}

// follow makes ctx the one that interrupts. It costs nothing when it already is.
func (i *interrupt) follow(ctx context.Context) {
	if ctx == i.ctx {
		return
	}
	if i.stop != nil {
		i.stop()
	}
	i.ctx, i.stop = ctx, nil
	i.setFor(ctx)
	if ctx.Done() != nil {
		i.stop = context.AfterFunc(ctx, func() { i.setFor(ctx) })
	}
}

func (i *interrupt) setFor(ctx context.Context) {
	i.set(ctx.Err() != nil)
}

func (i *interrupt) set(on bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.gone {
		return
	}
	v := C.int(0)
	if on {
		v = 1
	}
	C.pr_interrupt_set(i.c, v)
}

// limit sets what may be read, and waited for, without a picture.
func (i *interrupt) limit(bytes int64, wait time.Duration) {
	i.patience.max_bytes, i.patience.max_wait_us = C.int64_t(bytes), C.int64_t(wait.Microseconds())
}

func (i *interrupt) fruitful() { i.patience.bytes = 0 }

func (i *interrupt) gaveUp() error {
	if i.patience == nil {
		return nil // freed
	}
	switch i.patience.ran_out {
	case C.PR_OUT_OF_BYTES:
		return ErrNoPicture
	case C.PR_OUT_OF_TIME:
		return ErrNoData
	}
	return nil
}

// free must come after everything that uses the interrupt was closed.
func (i *interrupt) free() {
	if i.stop != nil {
		i.stop()
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.gone {
		i.gone = true
		C.pr_interrupt_free(i.c)
		i.patience = nil
	}
}
