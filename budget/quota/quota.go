package quota

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/internal/roster"
)

// Request is what a process asks for, in bytes.
type Request struct {
	// Cap is what all processes together may have. Everybody counts with its own; the smallest cap
	// of those that live is the one that holds for a grant.
	Cap int64
	// Want is what the process can use; Min is what it cannot do without, 0 < Min ≤ Want.
	Want, Min int64
	// Patience is how long to wait for others to shrink when less than Min is left; 0 does not wait.
	Patience time.Duration
}

// Numbers of a record.
const (
	granted = iota
	wanted
	capped
)

// kind is the name of the sub-folder.
const kind = "pinned"

// mostBytes rejects records that no machine can have: 1 PiB.
const mostBytes = int64(1) << 50

// ErrNoRoom is matched (errors.Is) by every *FullError.
var ErrNoRoom = errors.New("the pinned memory of this host is used up by other processes")

// FullError says that less than the smallest useful share is left.
type FullError struct {
	Cap, Left, Min int64
	Processes      int // that have a share
}

func (e *FullError) Error() string {
	return fmt.Sprintf("%d other processes have all but %s of the %s of pinned memory that is allowed on this host, and %s is needed: let them finish, or raise the cap",
		e.Processes, budget.FormatBytes(e.Left), budget.FormatBytes(e.Cap), budget.FormatBytes(e.Min))
}

// Is makes errors.Is(err, ErrNoRoom) true.
func (e *FullError) Is(target error) bool { return target == ErrNoRoom }

// Share is this process's part of the cap. Safe for concurrent use.
type Share struct {
	member *roster.Member
	cap    int64
	min    int64
}

// poll is how often Acquire looks whether others have shrunk.
const poll = 20 * time.Millisecond

// Acquire takes a share. dir is the runtime folder, empty for the user's own. It fails with a
// *[FullError] when less than Min is left and nobody gave way within the patience, and with ctx's error
// when that is done.
func Acquire(ctx context.Context, dir string, r Request) (*Share, error) {
	if r.Min <= 0 || r.Want < r.Min || r.Cap <= 0 || r.Want > mostBytes || r.Cap > mostBytes {
		return nil, fmt.Errorf("quota: want %d, at least %d bytes of %d makes no sense", r.Want, r.Min, r.Cap)
	}
	m, err := roster.Join(orDefault(dir), kind)
	if err != nil {
		return nil, err
	}
	s := &Share{member: m, cap: r.Cap, min: r.Min}
	if err := s.wait(ctx, r); err != nil {
		m.Leave()
		return nil, err
	}
	return s, nil
}

func orDefault(dir string) string {
	if dir == "" {
		return roster.DefaultDir()
	}
	return dir
}

// wait makes the first grant. While it waits the others see the wish, and make room for it.
func (s *Share) wait(ctx context.Context, r Request) error {
	ctx, cancel := context.WithTimeout(ctx, max(r.Patience, time.Nanosecond))
	defer cancel()
	for {
		var full *FullError
		err := s.member.Do(func(peers []roster.Peer, own *roster.Values) error {
			own[wanted], own[capped] = r.Want, r.Cap
			t := count(peers, own)
			give := min(r.Want, max(t.left/2, min(t.left, r.Min)))
			if give < r.Min {
				full = &FullError{Cap: t.cap, Left: max(t.left, 0), Min: r.Min, Processes: t.processes}
				return nil
			}
			own[granted] = give
			return nil
		})
		if err != nil || full == nil {
			return err
		}
		t := time.NewTimer(poll)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return full
			}
			return ctx.Err()
		}
	}
}

// Granted is how many bytes this process may have pinned.
func (s *Share) Granted() int64 { return s.member.Own()[granted] }

// Rebalance grows the share by what is left, up to its fair part, and tells the target: when that is
// less than granted the process should free memory and then call [Share.Shrink]. Call it at
// intervals, not for every frame: it reads a few files.
func (s *Share) Rebalance() (now, target int64, err error) {
	err = s.member.Do(func(peers []roster.Peer, own *roster.Values) error {
		t := count(peers, own)
		target = max(t.fair, min(s.min, own[granted]))
		if own[granted] < target {
			own[granted] += max(0, min(target-own[granted], t.left))
		}
		now = own[granted]
		return nil
	})
	return now, target, err
}

// Shrink gives all but bytes back, after the memory was freed. It never grows the share.
func (s *Share) Shrink(bytes int64) error {
	return s.member.Do(func(_ []roster.Peer, own *roster.Values) error {
		own[granted] = max(0, min(own[granted], bytes))
		return nil
	})
}

// Want changes what the process can use: a smaller wish leaves more for others at their next
// Rebalance.
func (s *Share) Want(bytes int64) error {
	return s.member.Do(func(_ []roster.Peer, own *roster.Values) error {
		own[wanted] = min(max(bytes, own[granted]), mostBytes)
		return nil
	})
}

// Ignored counts the files in the runtime folder that were not trusted when last looked at.
func (s *Share) Ignored() (foreign, broken int) {
	c := s.member.Census()
	return c.Foreign, c.Broken
}

// Close gives the share back. It is idempotent.
func (s *Share) Close() error { return s.member.Leave() }

// totals are what a member needs to know of all.
type totals struct {
	cap       int64 // the smallest
	left      int64 // of the cap
	fair      int64 // part of this member
	processes int   // others
}

// count sums up the living. Peers whose numbers make no sense do not count.
func count(peers []roster.Peer, own *roster.Values) totals {
	t := totals{cap: own[capped]}
	used := own[granted]
	wants := []int64{own[wanted]}
	for i := range peers {
		v := &peers[i].Values
		if v[granted] > mostBytes || v[wanted] > mostBytes || v[capped] <= 0 {
			continue
		}
		t.processes++
		t.cap = min(t.cap, v[capped])
		used += v[granted]
		wants = append(wants, v[wanted])
	}
	t.left = t.cap - used
	t.fair = fairPart(t.cap, wants, own[wanted])
	return t
}

// Usage is what an outsider sees.
type Usage struct {
	Granted   int64 // to all living processes
	Processes []Process
	Foreign   int // files that are not ours
	Broken    int // records that make no sense
}

// Process is one holder of a share.
type Process struct {
	PID                int
	Granted, Want, Cap int64
}

// Survey looks at all shares in dir, empty for the user's own runtime folder, at one moment.
func Survey(dir string) (Usage, error) {
	c, err := roster.Survey(orDefault(dir), kind)
	if errors.Is(err, os.ErrNotExist) {
		return Usage{}, nil
	}
	if err != nil {
		return Usage{}, err
	}
	u := Usage{Foreign: c.Foreign, Broken: c.Broken}
	for _, p := range c.Peers {
		u.Granted += p.Values[granted]
		u.Processes = append(u.Processes, Process{PID: p.PID, Granted: p.Values[granted], Want: p.Values[wanted], Cap: p.Values[capped]})
	}
	return u, nil
}
