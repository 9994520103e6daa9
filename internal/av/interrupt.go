package av

// #include "input.h"
import "C"

import (
	"context"
	"sync"
)

// interrupt ends FFmpeg's blocking reads and writes when a context ends. One goroutine at a time.
type interrupt struct {
	c    *C.pr_interrupt
	ctx  context.Context
	stop func() bool

	mu   sync.Mutex // orders a late callback with free
	gone bool
}

func newInterrupt() *interrupt { return &interrupt{c: C.pr_interrupt_new()} }

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
	}
}
