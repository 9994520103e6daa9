package main

import (
	"errors"
	"strings"
	"sync/atomic"

	"github.com/pinring/pinring/cmd/internal/purse"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/transfer"
)

// crossing is a run's way from the CPU to the card that arrives: Note [The card comes later].
type crossing struct {
	way     *way
	next    chan pipeline.Base // has room for it
	stop    chan struct{}
	over    chan struct{}                    // nothing happens any more
	staging atomic.Pointer[transfer.Staging] // on the card
	account *purse.Account                   // after over, or when staging is there
}

// cross prepares to go over to the card when it comes; nil when none will.
func (w *way) cross() <-chan pipeline.Base {
	if w.card == nil {
		return nil
	}
	w.crossing = &crossing{way: w, next: make(chan pipeline.Base, 1), stop: make(chan struct{}), over: make(chan struct{})}
	go w.crossing.wait()
	return w.crossing.next
}

func (x *crossing) wait() {
	defer close(x.over)
	card := x.way.card
	select {
	case <-x.stop:
		return
	case <-card.done:
	}
	err := card.err
	if err == nil {
		err = x.prepare(card.stock)
	}
	if err != nil {
		x.way.note("the run stays on the CPU: " + strings.Join(strings.Fields(err.Error()), " "))
	}
}

// prepare page-locks the decoder's slots and makes what else the frames need there.
func (x *crossing) prepare(card *stock) error {
	w := x.way
	locker, ok := card.dev.(gpu.HostLocker)
	if !ok {
		return errors.New("it cannot page-lock memory that is there already")
	}
	if err := w.slots.lockAll(locker.LockHost, card.arena); err != nil {
		return err
	}
	up, down := directions(w.j.Staging)
	st := transfer.New(card.dev, transfer.Params{Up: up, Down: down, Arena: card.arena, InFlight: w.inFlight(), Note: w.note})
	if _, came := w.staging.Stats(); came.Slots > 0 { // the results will be as large as they are
		if err := st.Prime(came.SlotBytes, came.Slots); err != nil {
			return errors.Join(err, st.Close())
		}
	}
	x.account = card.purse.Account()
	x.staging.Store(st)
	x.next <- pipeline.Base{Device: card.dev, Staging: st, Program: card.program, Guard: x.account.Guard(), Staged: x.account.Sample}
	return nil
}

// end stops the waiting.
func (x *crossing) end() {
	if x == nil {
		return
	}
	close(x.stop)
	<-x.over
}

// close gives back what the card's frames had, after everything that refers to it is closed.
func (x *crossing) close() error {
	if x == nil || x.account == nil {
		return nil
	}
	x.account.Close()
	return x.staging.Load().Close()
}

// there is the staging on the card, nil before.
func (x *crossing) there() *transfer.Staging {
	if x == nil {
		return nil
	}
	return x.staging.Load()
}
