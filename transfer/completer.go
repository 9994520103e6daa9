package transfer

import (
	"sync"

	"github.com/pinring/pinring/gpu"
)

// Completion is told when device work has ended. Completed runs on the Completer's goroutine and
// must not block. err is what the device reported, nil when the work is done.
type Completion interface{ Completed(err error) }

// Completer waits for events on one goroutine per device, in the order in which they were handed
// over, and tells each event's Completion. It exists so that nothing else waits inside the driver:
// whoever waits for a slot waits on a channel, and can be cancelled.
type Completer struct {
	queue chan pending
	done  chan struct{}
	once  sync.Once
}

type pending struct {
	event gpu.Event
	to    Completion
}

// NewCompleter starts the goroutine. depth bounds the events waited for at once; After blocks
// beyond it.
func NewCompleter(depth int) *Completer {
	c := &Completer{queue: make(chan pending, depth), done: make(chan struct{})}
	go c.run()
	return c
}

func (c *Completer) run() {
	defer close(c.done)
	for p := range c.queue {
		var err error
		if p.event != nil {
			err = p.event.Synchronize()
		}
		p.to.Completed(err)
	}
}

// After calls to.Completed once the event is done; a nil event is done already, but keeps its
// place in the order. The event must not be recorded again before that. Not after Close.
func (c *Completer) After(e gpu.Event, to Completion) { c.queue <- pending{e, to} }

// Close returns when all events handed over are done and their Completions told. Idempotent.
func (c *Completer) Close() {
	c.once.Do(func() { close(c.queue) })
	<-c.done
}
