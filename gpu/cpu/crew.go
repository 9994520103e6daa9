//go:build linux && cgo

package cpu

/*
#include <stdint.h>

#cgo noescape pinring_call_kernel
#cgo nocallback pinring_call_kernel

static void pinring_call_kernel(uintptr_t fn, const uint64_t *args, int row0, int row1) {
	((void (*)(const uint64_t *, int, int))fn)(args, row0, row1);
}
*/
import "C"

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/pinring/pinring/gpu"
)

// bandItems is how many items a band should have at least: a few tens of microseconds of work, so
// that waking a helper (about a microsecond) pays.
const bandItems = 16384

// bandsPerCore is how finely a large launch is cut, so that cores of unequal speed finish together.
const bandsPerCore = 4

// crew shares out the cores. A token is the right to keep one core busy.
type crew struct {
	cores   int
	tokens  chan struct{} // holds one element for each token in use
	work    chan *launch  // to the helpers
	helpers sync.WaitGroup
}

// launch is a running launch. Each stream has one and reuses it.
type launch struct {
	fn     uintptr
	args   [gpu.MaxArgs]uint64 // those that the launch left out are 0, as on a GPU
	rows   int64
	band   int64          // rows of a band
	next   atomic.Int64   // first row that nobody has taken yet
	joined sync.WaitGroup // helpers at work
}

func newCrew(cores int) *crew {
	c := &crew{cores: cores, tokens: make(chan struct{}, cores), work: make(chan *launch, cores)}
	for range cores - 1 {
		c.helpers.Go(c.help)
	}
	return c
}

// stop ends the helpers. No stream may be running.
func (c *crew) stop() {
	close(c.work)
	c.helpers.Wait()
}

func (c *crew) acquire() { c.tokens <- struct{}{} }
func (c *crew) release() { <-c.tokens }

// run computes a launch of cols × rows items. The caller holds a token.
func (c *crew) run(l *launch, cols, rows int64) {
	l.rows, l.band = rows, c.bandRows(cols, rows)
	l.next.Store(0)
	for {
		c.recruit(l)
		if !l.step() {
			break
		}
	}
	l.joined.Wait()
}

// bandRows is how many rows go into one band: all of them when the launch is small.
func (c *crew) bandRows(cols, rows int64) int64 {
	if c.cores == 1 || cols*rows < 2*bandItems {
		return rows
	}
	fine := (rows + int64(c.cores*bandsPerCore) - 1) / int64(c.cores*bandsPerCore)
	return max(fine, (bandItems+cols-1)/cols)
}

// recruit gives the launch a helper for each band beyond the next one, as far as tokens are free.
// It is asked before each band, since tokens become free while the launch runs.
func (c *crew) recruit(l *launch) {
	for left := l.rows - l.next.Load(); left > l.band; left -= l.band {
		select {
		case c.tokens <- struct{}{}:
			l.joined.Add(1)
			c.work <- l // never blocks: there are at most as many as tokens
		default:
			return
		}
	}
}

func (c *crew) help() {
	for l := range c.work {
		for l.step() {
		}
		l.joined.Done()
		c.release()
	}
}

// step computes the next band, false when there is none.
func (l *launch) step() bool {
	row0 := l.next.Add(l.band) - l.band
	if row0 >= l.rows {
		return false
	}
	row1 := min(row0+l.band, l.rows)
	C.pinring_call_kernel(C.uintptr_t(l.fn), (*C.uint64_t)(unsafe.Pointer(&l.args[0])), C.int(row0), C.int(row1))
	return true
}
