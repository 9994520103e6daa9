package wddm

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"sync"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/internal/roster"
	"github.com/pinring/pinring/gpu"
)

// Ballast makes a large real card refuse where a small emulated one would. It fills the real card
// with device memory that nobody uses, in chunks from 1 GiB to the driver's granule of 2 MiB, until
// as much is free as the emulated card has left:
//
//	free = (limit - usage) + margin + tail        rounded up to the granule
//
// and follows usage from then on. All of it is plain device memory (cuMemAlloc): never managed
// memory, and nothing of it is touched, so that filling 130 GB is a matter of a second or so.
//
// # How the driver is asked
//
// Every request is an allocation on the real card. Far from the limit these are the chunks; where
// less than two granules would be left, the driver is asked for the request and the margin in one
// piece, which it has exactly if the emulated card has room, to the granule. So the driver refuses
// the request, and yet never runs short itself: the margin is there before and after. The tail is
// what the driver reports as free and does not give; it is found out after filling, and corrected
// where the driver is asked.
//
// # Memory
//
// Allocations and frees of others, and the driver's own, change what is free. Each request looks
// (cuMemGetInfo) and makes up for it; a change of more than 64 MiB is told once. What the emulated
// card's user allocates of device memory takes the place of ballast ([Real]).
//
// Close frees everything and gives up the card. A process that dies is cleaned up after by the
// driver and the operating system. One process of a user at a time has a card's ballast: a lock in
// the runtime folder goes by the card's UUID.
//
// # Order
//
// Open the device; NewBallast, which calls Warm (modules loaded, kernels launched once); [Emulate],
// which fills the card; the program's own memory; [Card.Start]; frames. [Card.Close] empties the card
// before it closes the device. Freeing device memory makes the driver wait for the device, so work is
// slower under ballast; the media clock's figures do not depend on it.
//
// A Ballast is safe for concurrent use.
type Ballast struct {
	dev    gpu.Device
	o      BallastOptions
	seat   *roster.Seat
	mu     sync.Mutex
	pool   chunks
	limit  int64
	usage  int64        // as last held
	tail   int64        // reported as free and not to be had
	stuck  []gpu.Buffer // could not be freed; Close tries again
	filled bool
	closed bool

	unsteady bool // it was told that trimming does not settle

	expect  int64 // what free and held are together unless somebody else takes or frees
	outside int64 // what others took since the card was filled; negative when they freed
	told    int64 // outside when it was last told
	stats   BallastStats
}

var _ Real = (*Ballast)(nil)

// BallastStats tell what a ballast holds and what happened.
type BallastStats struct {
	Held     int64 // bytes of ballast
	Most     int64 // most there has been
	Margin   int64 // stays free for the driver
	Tail     int64 // the driver reports it as free and does not give it
	Outside  int64 // taken by others or by the driver since the card was filled; negative when freed
	Refusals int64 // of the driver
}

// outsideTold is how much others may take or free before it is told.
const outsideTold = 64 * budget.MiB

// NewBallast takes the card for this process, and warms it up. It is filled when [Emulate] says what
// is in use, and belongs to the [Card] then. dev is the device that is emulated, unwrapped, and stays
// the caller's; so does everything on error. It fails with a *[BallastError] when the card cannot be had.
func NewBallast(dev gpu.Device, o BallastOptions) (*Ballast, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	info := dev.Info()
	if info.Kind != gpu.CUDA || info.Unified {
		return nil, &BallastError{info.Name, ErrNoCard, "choose a CUDA device, or mode=ledger"}
	}
	seat, err := takeSeat(&info, o.Dir)
	if err != nil {
		return nil, err
	}
	b := &Ballast{dev: dev, o: o, seat: seat, pool: chunks{dev: dev, granule: o.Granule}}
	if err := b.ready(); err != nil {
		return nil, errors.Join(err, seat.Leave())
	}
	return b, nil
}

var notInName = regexp.MustCompile(`[^0-9A-Za-z.-]+`)

// takeSeat takes the card's lock. Without a UUID the PCI address, without that the number stands in.
func takeSeat(info *gpu.Info, dir string) (*roster.Seat, error) {
	if dir == "" {
		dir = roster.DefaultDir()
	}
	id := info.UUID
	if id == "" {
		id = info.PCI
	}
	if id == "" {
		id = strconv.Itoa(info.Index)
	}
	seat, pid, err := roster.Exclusive(dir, "ballast-"+notInName.ReplaceAllString(id, "_")+".lock")
	if err != nil {
		return nil, fmt.Errorf("ballast: %w", err)
	}
	if seat == nil {
		who := "wait until it is done"
		if pid > 0 {
			who = fmt.Sprintf("wait until process %d is done", pid)
		}
		return nil, &BallastError{info.Name, ErrBallastBusy, who + ", or choose another card"}
	}
	return seat, nil
}

// ready looks who else is there, and warms the card up.
func (b *Ballast) ready() error {
	if !b.o.Force {
		n, how, err := b.o.others(b.dev)
		if err != nil {
			return err
		}
		if n > 0 {
			return &BallastError{b.dev.Info().Name, ErrCardInUse,
				fmt.Sprintf("%s (%s), and they would find the card full; end them, or force it", budget.FormatBytes(n), how)}
		}
	}
	if b.o.Warm == nil {
		return nil
	}
	if err := b.o.Warm(b.dev); err != nil {
		return fmt.Errorf("ballast: before filling the card: %w", err)
	}
	return nil
}

// Name is "ballast".
func (b *Ballast) Name() string { return BallastMode.String() }

// Bound sets the emulated card's limit for the next Hold.
func (b *Ballast) Bound(limit int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.limit = limit
}

// Hold makes the real card as full as the emulated one is with bytes in use. It fails with the driver's
// *gpu.OutOfMemoryError, and then holds what it held before.
func (b *Ballast) Hold(bytes int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return errors.New("ballast: used after Close")
	}
	err := b.hold(bytes)
	if errors.Is(err, gpu.ErrOutOfMemory) {
		b.stats.Refusals++
	}
	return err
}

func (b *Ballast) hold(bytes int64) error {
	if !b.filled {
		if err := b.fill(min(bytes, b.limit)); err != nil {
			return err
		}
	}
	if bytes > b.usage && b.limit-bytes < 2*b.o.Granule {
		if err := b.ask(bytes - b.usage); err != nil {
			return err
		}
	}
	if err := b.adjust(bytes); err != nil {
		return err
	}
	b.usage = bytes
	return nil
}

// Swap lets device memory of the emulated card's user take the place of ballast, or the other way round.
func (b *Ballast) Swap(bytes int64, do func() error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if bytes > 0 && !b.closed {
		g := b.o.Granule
		if err := b.pool.shrink(min((bytes+g-1)/g*g, b.pool.held)); err != nil {
			return fmt.Errorf("ballast: %w", err)
		}
	}
	err := do()
	if err == nil {
		b.expect -= bytes
	}
	return err
}

// Stats tells what is held now, and what happened.
func (b *Ballast) Stats() BallastStats {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.stats
	s.Held, s.Margin, s.Tail, s.Outside = b.pool.held, b.o.Margin, b.tail, b.outside
	return s
}

// empty frees everything that can be freed and reports the first failure.
func (b *Ballast) empty() error {
	err := b.pool.close()
	for _, m := range b.stuck {
		if e := m.Free(); err == nil {
			err = e
		}
	}
	b.stuck = nil
	return err
}

// Close frees all ballast and gives the card up for other processes. It is idempotent. In a lost
// context nothing can be freed before the process ends; that is reported.
func (b *Ballast) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	b.closed = true
	err := b.empty()
	if err != nil {
		err = fmt.Errorf("ballast: %s stay filled until the process ends: %w", budget.FormatBytes(b.pool.held), err)
	}
	return errors.Join(err, b.seat.Leave())
}
