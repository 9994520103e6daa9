package main

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/transfer"
)

var _ decode.Lender = (*lockable)(nil)

// lockable lends slots of the CPU's staging, and page-locks them, those that are out and those that follow, when
// a card is there to copy from them. Safe for concurrent use.
type lockable struct {
	staging *transfer.Staging
	note    func(string)

	mu    sync.Mutex
	lock  locker                        // nil before there is a card
	cap   *transfer.Arena               // in whose cap they count from then on
	slots map[*frame.Block]func() error // out, with what unlocks them
	err   error                         // of unlocking
}

// locker page-locks memory.
type locker func(ptr unsafe.Pointer, bytes int) (unlock func() error, err error)

func newLockable(s *transfer.Staging, note func(string)) *lockable {
	return &lockable{staging: s, note: note, slots: map[*frame.Block]func() error{}}
}

// Lend implements decode.Lender.
func (l *lockable) Lend(shape frame.Layout, n int, add func(*frame.Block)) error {
	return l.staging.Lend(shape, n, func(b *frame.Block) {
		l.enter(b)
		add(b)
	})
}

// enter keeps a slot in the books. One that cannot be locked is copied from all the same, only slower.
func (l *lockable) enter(b *frame.Block) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.slots[b] = nil
	if l.lock == nil {
		return
	}
	if err := l.lockOne(b); err != nil {
		l.note(fmt.Sprintf("a slot of %d bytes is not page-locked, its frames are copied more slowly: %v", b.Size, err))
	}
}

// lockOne locks a slot. The caller holds the lock.
func (l *lockable) lockOne(b *frame.Block) error {
	if err := l.cap.Reserve(int64(b.Size)); err != nil {
		return err
	}
	unlock, err := l.lock(b.Base, b.Size)
	if err != nil {
		l.cap.Reserve(-int64(b.Size))
		return err
	}
	l.slots[b] = unlock
	return nil
}

// lockAll locks all slots that are out. When one cannot be, none is.
func (l *lockable) lockAll(lock locker, limit *transfer.Arena) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lock, l.cap = lock, limit
	for b := range l.slots {
		if err := l.lockOne(b); err != nil {
			for b := range l.slots {
				l.unlock(b)
			}
			l.lock = nil
			return fmt.Errorf("the decoder's slots: %w", err)
		}
	}
	return nil
}

// unlock ends the locking of a slot. The caller holds the lock.
func (l *lockable) unlock(b *frame.Block) {
	unlock := l.slots[b]
	if unlock == nil {
		return
	}
	l.slots[b] = nil
	l.err = errors.Join(l.err, unlock())
	l.cap.Reserve(-int64(b.Size))
}

// Return implements decode.Lender.
func (l *lockable) Return(b *frame.Block) {
	l.mu.Lock()
	l.unlock(b)
	delete(l.slots, b)
	l.mu.Unlock()
	l.staging.Return(b)
}

// close gives the first failure to unlock.
func (l *lockable) close() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}
