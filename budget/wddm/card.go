package wddm

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/internal/roster"
	"github.com/pinring/pinring/gpu"
)

// Card is an emulated card. It is the device that it wraps, but for memory; a meter of it; and the
// clock that its reclaim runs on. Safe for concurrent use; what the media clock asks of its callers
// is in the package comment.
type Card struct {
	gpu.Device

	params  Params
	backend Backend
	wall    budget.Wall
	now     func() time.Duration

	mu     sync.Mutex
	books  *ledger
	bell   chan struct{}  // closed when a frame's memory was freed while somebody waits for it
	shared *roster.Member // nil when the card is private
	held   int64          // what the backend holds
	bound  int64          // what the backend knows as the limit
	counts Counts
}

var (
	_ gpu.Device   = (*Card)(nil)
	_ budget.Meter = (*Card)(nil)
	_ budget.Clock = (*Card)(nil)
)

// Options are what a card needs beyond its parameters. The zero value is right for most.
type Options struct {
	// Backend fills a real card; needed by, and only allowed for, BallastMode.
	Backend Backend
	// Dir is the runtime folder of shared cards; empty is the user's own.
	Dir string
	// Now is the wall clock, for tests; nil is the real one. Wait still sleeps.
	Now func() time.Duration
}

// Counts are what happened on a card.
type Counts struct {
	Allocs, Frees int64 // of charged buffers
	Refusals      int64
	// Peers, Foreign and Broken are of a shared card's folder, as last seen.
	Peers, Foreign, Broken int
}

// Emulate makes dev a card with the given parameters. The card owns dev from then on: Close closes
// it. On error dev is still the caller's. It fails with an *gpu.OutOfMemoryError when a shared card
// has no room for one more context.
func Emulate(dev gpu.Device, p Params, o Options) (*Card, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if (p.Mode == BallastMode) != (o.Backend != nil) {
		return nil, fmt.Errorf("emulated card: mode=%s %s", p.Mode,
			map[bool]string{true: "takes no backend", false: "needs a CUDA device whose memory it can fill"}[p.Mode == LedgerMode])
	}
	c := &Card{Device: dev, params: p, backend: o.Backend, books: newLedger(p), wall: *budget.NewWall(), now: o.Now}
	if c.now == nil {
		c.now = c.wall.Now
	}
	if err := c.open(o.Dir); err != nil {
		return nil, err
	}
	return c, nil
}

// open joins a shared card and fills a real one.
func (c *Card) open(dir string) (err error) {
	if c.params.Card != "" {
		if dir == "" {
			dir = roster.DefaultDir()
		}
		if c.shared, err = roster.Join(dir, "card-"+c.params.Card); err != nil {
			return fmt.Errorf("emulated card %s: %w", c.params.Card, err)
		}
	}
	err = c.withPeers(func() error {
		l := c.books
		if room := l.level[budget.DeviceLocal] - l.usage(budget.DeviceLocal); room < 0 {
			var amt amounts
			amt[budget.DeviceLocal] = c.params.Context
			l.live = minus(l.live, amt)
			r := l.refusal(budget.DeviceLocal, amt, false)
			return outOfMemory("cuDevicePrimaryCtxRetain", amt[budget.DeviceLocal], r)
		}
		return c.hold(l.usage(budget.DeviceLocal))
	})
	if err != nil {
		c.release()
	}
	return err
}

// Params are what the card was made with.
func (c *Card) Params() Params { return c.params }

// DriverModel is the one that is emulated, for [budget.Cap]. Info still is the real device's.
func (c *Card) DriverModel() budget.DriverModel { return budget.ModelWDDM }

// Start ends the set-up: what is in use now is normal, and a headroom counts from here. num ÷ den is
// the frame rate of the media clock; 30 when it is not known. Calling it again changes the rate for
// the frames to come only if none has begun.
func (c *Card) Start(num, den int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.books
	if l.frame < 0 && num > 0 && den > 0 {
		l.rateNum, l.rateDen = int64(num), int64(den)
	}
	l.settle()
	// A real card follows the limit. What it cannot do now it says with the next request.
	_ = c.follow()
}

// MemInfo is the emulated card's free and total memory, as cuMemGetInfo would tell.
func (c *Card) MemInfo() (gpu.MemInfo, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var info gpu.MemInfo
	err := c.withPeers(func() error {
		info = gpu.MemInfo{Free: max(0, c.params.Total-c.books.usage(budget.DeviceLocal)), Total: c.params.Total}
		return nil
	})
	return info, err
}

// Close gives the emulated memory back and closes the device. It is not an error that buffers are
// still alive: the device says so.
func (c *Card) Close() error {
	c.mu.Lock()
	err := c.release()
	c.mu.Unlock()
	return errors.Join(err, c.Device.Close())
}

func (c *Card) release() (err error) {
	if c.shared != nil {
		err = c.shared.Leave()
	}
	if c.backend != nil {
		err = errors.Join(err, c.backend.Close())
		c.backend = nil
	}
	return err
}

// Counts tells what happened so far.
func (c *Card) Counts() Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.counts
	if c.shared != nil {
		s := c.shared.Census()
		n.Peers, n.Foreign, n.Broken = len(s.Peers), s.Foreign, s.Broken
	}
	return n
}

// Snapshot is a card's books at a moment.
type Snapshot struct {
	At      time.Duration
	Frame   int64 // admitted last; -1 before the first
	Domain  [budget.NumDomains]Purse
	Process int64 // LOCAL in use by this process: what DXGI calls CurrentUsage
}

// Purse is one domain. Budget 0 means that it does not limit.
type Purse struct{ Usage, Budget, Live, Pending, Peers int64 }

// Snapshot tells the books as they are now. It does not look at other processes anew.
func (c *Card) Snapshot() Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tick()
	l := c.books
	s := Snapshot{At: l.now, Frame: l.frame}
	for d := range budget.Domain(budget.NumDomains) {
		s.Domain[d] = Purse{Usage: l.usage(d), Budget: l.level[d], Live: l.live[d], Pending: l.pending[d], Peers: l.peers[d]}
	}
	own := l.own()
	s.Process = c.params.Resident + own[budget.DeviceLocal]
	return s
}

// tick lets the wall clock's time into the books. The media clock's comes with the frames.
func (c *Card) tick() {
	if c.params.Clock == WallClock {
		c.books.advance(c.now())
	}
}

// hold tells the backend what is in use, and the limit.
func (c *Card) hold(bytes int64) error {
	limit := c.books.level[budget.DeviceLocal]
	if c.backend == nil || bytes == c.held && limit == c.bound {
		return nil
	}
	if r, ok := c.backend.(Real); ok {
		r.Bound(limit)
	}
	if err := c.backend.Hold(bytes); err != nil {
		return err
	}
	c.held, c.bound = bytes, limit
	return nil
}

// follow tells the backend what is in use when nothing was asked for. Pressure may fill the card
// beyond its limit, which the backend follows up to the limit; that the driver has no more to give
// then is no failure.
func (c *Card) follow() error {
	l := c.books
	err := c.hold(min(l.usage(budget.DeviceLocal), l.level[budget.DeviceLocal]))
	if errors.Is(err, gpu.ErrOutOfMemory) {
		return nil
	}
	return err
}

// swap allocates or frees device memory, on a card that a backend fills in exchange for what the
// backend holds.
func (c *Card) swap(bytes int64, do func() error) error {
	c.mu.Lock()
	r, ok := c.backend.(Real)
	if !ok {
		c.mu.Unlock()
		return do()
	}
	defer c.mu.Unlock()
	return r.Swap(bytes, do)
}

// Now is the card's time.
func (c *Card) Now() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tick()
	return c.books.now
}

// Begin admits frame n; see the package comment. Frames that do not come in order are ignored.
func (c *Card) Begin(ctx context.Context, n int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tick()
	l := c.books
	if n <= l.frame {
		return ctx.Err()
	}
	if c.params.Clock == WallClock {
		l.frame = n
		return ctx.Err()
	}
	t := max(l.now, l.frameTime(n)+l.waits)
	if err := c.await(ctx, t); err != nil {
		return err
	}
	l.begin(n, t)
	return nil
}

// End says that frame n has freed its memory; what it still has is kept for good.
func (c *Card) End(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.books.end(n)
	c.ring()
}

// ErrNothingPending says that waiting on the media clock cannot help: no memory is on its way back.
var ErrNothingPending = errors.New("no memory is waiting to be reclaimed, so waiting does not help")

// patience is how long the media clock goes on after the last event that it knows of. It costs no
// real time, and is far beyond the guard's times.
const patience = 5 * time.Minute

// Wait lets d pass: really on the wall clock, at once on the media clock. There it fails with
// [ErrNothingPending] when nothing has changed for minutes and nothing will.
func (c *Card) Wait(ctx context.Context, d time.Duration) error {
	if c.params.Clock == WallClock {
		return c.wall.Wait(ctx, d)
	}
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.books
	t := l.now + d
	if err := c.await(ctx, t); err != nil {
		return err
	}
	if l.idle() && t-l.lastEvent > patience {
		return ErrNothingPending
	}
	l.waits += d
	l.advance(t)
	return nil
}

// await waits, really, until every frame whose memory is booked to be free by t has freed it. It is
// called with the lock held, and gives it up meanwhile.
func (c *Card) await(ctx context.Context, t time.Duration) error {
	for c.books.blocked(t) {
		if c.bell == nil {
			c.bell = make(chan struct{})
		}
		bell := c.bell
		c.mu.Unlock()
		var err error
		select {
		case <-bell:
		case <-ctx.Done():
			err = ctx.Err()
		}
		c.mu.Lock()
		if err != nil {
			return err
		}
	}
	return nil
}

// ring wakes those in await.
func (c *Card) ring() {
	if c.bell != nil {
		close(c.bell)
		c.bell = nil
	}
}
