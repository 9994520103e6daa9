package encode

import (
	"sync"
	"sync/atomic"

	"github.com/pinring/pinring/internal/av"
)

// recoderQueue is how many packets may wait for a recoder: a few seconds of sound.
const recoderQueue = 256

// recoder encodes sound anew, on a goroutine of its own, so that neither decoding nor encoding of
// pictures waits for it. When its queue is full, put waits: the recoder itself never waits for
// pictures.
type recoder struct {
	s    *av.Sound
	emit func(*av.Packet) error // owns the packet

	in   chan *av.Packet
	done chan struct{}
	quit atomic.Bool           // what is queued is not wanted any more
	err  atomic.Pointer[error] // the first failure

	mu    sync.Mutex // orders put and the end
	ended bool
}

func newRecoder(s *av.Sound, emit func(*av.Packet) error) *recoder {
	r := &recoder{s: s, emit: emit, in: make(chan *av.Packet, recoderQueue), done: make(chan struct{})}
	go r.run()
	return r
}

// put owns the packet, on error too.
func (r *recoder) put(p *av.Packet) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		p.Free()
		return ErrClosed
	}
	r.in <- p
	return r.failure()
}

func (r *recoder) failure() error {
	if e := r.err.Load(); e != nil {
		return *e
	}
	return nil
}

func (r *recoder) run() {
	defer close(r.done)
	for p := range r.in {
		r.work(p)
		p.Free()
	}
	r.work(nil)
}

// work encodes a packet, nil for the end. After a failure, or when nobody wants the result, it does
// nothing.
func (r *recoder) work(p *av.Packet) {
	if r.quit.Load() || r.err.Load() != nil {
		return
	}
	err := r.s.Send(p)
	for err == nil {
		out := av.NewPacket()
		var st av.Status
		if st, err = r.s.Receive(out); st != av.Got {
			out.Free()
			break
		}
		err = r.emit(out)
	}
	if err != nil {
		r.err.Store(&err)
	}
}

// finish encodes what is queued and returns the first failure.
func (r *recoder) finish() error {
	r.mu.Lock()
	if !r.ended {
		r.ended = true
		close(r.in)
	}
	r.mu.Unlock()
	<-r.done
	return r.failure()
}

// close gives up what is queued. Idempotent.
func (r *recoder) close() {
	r.quit.Store(true)
	_ = r.finish() // whoever wanted to know has asked
	r.s.Close()
}
