package transfer

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/pinring/pinring/gpu"
)

// Mode is how memory for one direction is had.
type Mode struct {
	Kind gpu.HostKind
	// PerFrame allocates and frees a slot for each picture instead of using a ring again. On the
	// way up the decoder then keeps memory of its own, and each picture is copied.
	PerFrame bool
}

// Params are the settings of a Staging.
type Params struct {
	Up, Down  Mode         // the zero Mode is a ring of pinned slots
	Arena     *Arena       // where the slots come from, shared with others; nil makes one of its own
	MaxBytes  int64        // cap of an arena of its own; 0 is none
	InFlight  int          // frames between admission and delivery
	Slots     int          // lent slots; 0 is "what the decoder asks for"
	Eager     bool         // lend all slots at once instead of growing in the background
	LeaveRoom bool         // a Unified device is followed by one that is not: Lend leaves room for its owned slots
	Poison    bool         // overwrite released slots (tests)
	Note      func(string) // gets what the user should know, each thing once; nil discards it
}

// Staging is the pinned memory of one stream of frames: the lent slots and the copy ring on its
// way up, the download ring on its way down. Its methods may be called from any goroutine; Stage,
// PrepareDownload and AcquireDownload from one at a time.
type Staging struct {
	params  Params
	dev     gpu.Device
	unified bool
	arena   *Arena
	seat    *seat
	up      *pool
	down    *pool
	done    *Completer

	copyRing   *Ring // made when the first frame needs it
	copySlots  int   // of the copy ring; 0: one for each frame in flight and one to fill meanwhile
	downRing   *Ring
	plain      *pool // for the level Pageable; made when first needed
	level      Level
	held       int    // results that the sink keeps
	upBands    *bands // nil while pictures go up whole
	downBands  *bands
	resultRing *Ring // ordinary memory for results that come in bands
	bandedUp   atomic.Int64
	bandedDown atomic.Int64
	saidUp     bool
	saidDown   bool

	copied    atomic.Int64
	degraded  atomic.Int64
	grow      sync.WaitGroup
	closed    atomic.Bool
	growError atomic.Pointer[error]
	lentCount atomic.Int64
}

// New makes the staging memory's owner. Nothing is allocated yet.
func New(dev gpu.Device, p Params) *Staging {
	if p.Note == nil {
		p.Note = func(string) {}
	}
	p.InFlight = max(p.InFlight, 1)
	a := p.Arena
	if a == nil {
		a = NewArena(dev, ArenaParams{MaxBytes: p.MaxBytes})
	}
	seat := a.sit()
	return &Staging{
		params: p, dev: dev, unified: dev.Info().Unified, arena: a, seat: seat,
		up:   newPool(a, seat, p.Up.Kind),
		down: newPool(a, seat, p.Down.Kind),
		done: NewCompleter(4 * p.InFlight),
	}
}

// Completer waits for events of the staging's device.
func (s *Staging) Completer() *Completer { return s.done }

// Copied is the number of frames that had to be copied into a slot because they did not land in a
// lent one.
func (s *Staging) Copied() int64 { return s.copied.Load() }

// Close gives all slots back to the arena, and frees them if that is its own. Call it after the sink and the source are closed, so that nothing refers
// to a slot any more; slots that something still refers to are not freed but reported.
func (s *Staging) Close() error {
	s.closed.Store(true)
	s.grow.Wait()
	s.done.Close()
	s.copyRing.retire()
	s.downRing.retire()
	s.resultRing.retire()
	err := errors.Join(s.upBands.close(), s.downBands.close(), s.up.inUse("upload"), s.down.inUse("download"))
	if s.plain != nil {
		err = errors.Join(err, s.plain.inUse("pageable"), s.plain.arena.trim())
	}
	s.arena.leave(s.seat)
	if s.params.Arena == nil {
		err = errors.Join(err, s.arena.trim())
	}
	return err
}
