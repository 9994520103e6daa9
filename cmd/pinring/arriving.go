package main

import (
	"context"

	"github.com/pinring/pinring/config"
)

// Note [The card comes later]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A CUDA context takes three tenths of a second to make when nobody else uses the card, in which 16 cores decode
// several hundred pictures (docs/performance.md). With --device auto a run does not wait for it: it begins on the
// CPU, whose kernels give the same bytes, and goes over to the card between two frames when that is there. The slots
// that the decoder has by then are page-locked as they lie. A card that never comes costs nothing but a line.
//
// A device that the user names is waited for, and so is one whose memory is the matter: under emulation, in
// comparisons, and where buffers are allocated for each frame.

// anyDevice is the first CUDA device.
const anyDevice = "cuda:0"

// arriving is a card that is being opened beside the CPU that the run begins on.
type arriving struct {
	stock *stock
	done  chan struct{}
	err   error // after done
}

// await begins to open the card.
func (s *stock) await(ctx context.Context) *arriving {
	c := s.config
	c.Device.Want = config.Text(anyDevice)
	a := &arriving{stock: &stock{config: c, jobs: 1, talk: s.talk, last: true}, done: make(chan struct{})}
	go func() {
		defer close(a.done)
		a.err = a.stock.open(ctx, false)
	}()
	return a
}

// close gives the card back. One that is still being opened is left to the end of the process, which comes
// now: nothing can hold up the driver's call.
func (a *arriving) close() error {
	if a == nil {
		return nil
	}
	select {
	case <-a.done:
		return a.stock.close()
	default:
		return nil
	}
}
