package avtest

import (
	"fmt"
	"sync"
	"syscall"
	"unsafe"

	"github.com/pinring/pinring/frame"
)

// Lender lends page-aligned memory of the operating system, and keeps account of it.
type Lender struct {
	Max int // slots that are given for one request; 0: as many as are asked for

	mu       sync.Mutex
	lent     map[*frame.Block][]byte
	bytes    int
	requests []Request
	wrong    error
}

// Request is one call of Lend.
type Request struct {
	Layout frame.Layout
	N      int
}

// Lend gives out n slots at once.
func (l *Lender) Lend(layout frame.Layout, n int, add func(*frame.Block)) error {
	l.mu.Lock()
	l.requests = append(l.requests, Request{layout, n})
	l.mu.Unlock()
	if l.Max > 0 {
		n = min(n, l.Max)
	}
	for range n {
		b, err := l.make(layout.Size)
		if err != nil {
			return err
		}
		add(b)
	}
	return nil
}

func (l *Lender) make(bytes int) (*frame.Block, error) {
	mem, err := syscall.Mmap(-1, 0, bytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("map %d bytes: %w", bytes, err)
	}
	b := &frame.Block{Base: unsafe.Pointer(unsafe.SliceData(mem)), Size: bytes}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lent == nil {
		l.lent = map[*frame.Block][]byte{}
	}
	l.lent[b] = mem
	l.bytes += bytes
	return b, nil
}

// Return unmaps the slot: whoever still uses it crashes.
func (l *Lender) Return(b *frame.Block) {
	l.mu.Lock()
	defer l.mu.Unlock()
	mem, ok := l.lent[b]
	if !ok {
		l.wrong = fmt.Errorf("a slot was returned that is not lent")
		return
	}
	delete(l.lent, b)
	l.bytes -= len(mem)
	if err := syscall.Munmap(mem); err != nil {
		l.wrong = err
	}
}

// Lent is how many slots, and bytes, are lent now; err is set when a slot was returned wrongly.
func (l *Lender) Lent() (slots, bytes int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.lent), l.bytes, l.wrong
}

// Requests are the calls of Lend so far.
func (l *Lender) Requests() []Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]Request(nil), l.requests...)
}
