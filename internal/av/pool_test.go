package av

import (
	"testing"
	"unsafe"

	"github.com/pinring/pinring/frame"
)

func someBlocks(n, size int) []*frame.Block {
	out := make([]*frame.Block, n)
	for i := range out {
		// The pool never touches the memory by itself.
		out[i] = &frame.Block{Base: unsafe.Pointer(new(byte)), Size: size}
	}
	return out
}

func TestPoolRetire(t *testing.T) {
	p, err := NewPool()
	if err != nil {
		t.Fatal(err)
	}
	small, large := someBlocks(3, 4096), someBlocks(40, 8192)
	for _, b := range append(small, large...) {
		if !p.Add(b) {
			t.Fatal("an open pool refused a block")
		}
	}
	if got := p.Stats().Slots; got != 43 {
		t.Fatalf("%d slots, want 43", got)
	}
	back := map[*frame.Block]int{}
	take := func() { p.TakeReturned(func(b *frame.Block) { back[b]++ }) }
	p.Retire(8192)
	take()
	for _, b := range small {
		if back[b] != 1 {
			t.Errorf("a small block came back %d times", back[b])
		}
	}
	if len(back) != 3 || p.Stats().Slots != 40 {
		t.Errorf("%d came back, %d slots left", len(back), p.Stats().Slots)
	}
	if busy := p.Close(); busy != 0 {
		t.Errorf("%d busy", busy)
	}
	if p.Add(small[0]) {
		t.Error("a closed pool took a block")
	}
	p.Close()
}

func TestPoolShutReturnsAll(t *testing.T) {
	p, err := NewPool()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	blocks := someBlocks(70, 4096) // more than are taken in one call
	for round := range 3 {         // places in the table are used again
		for _, b := range blocks {
			p.Add(b)
		}
		p.Retire(1 << 20)
		seen := map[*frame.Block]bool{}
		p.TakeReturned(func(b *frame.Block) { seen[b] = true })
		if len(seen) != len(blocks) {
			t.Fatalf("round %d: %d blocks came back, want %d", round, len(seen), len(blocks))
		}
	}
	if n := len(*p.blocks.Load()); n > len(blocks) {
		t.Errorf("the table grew to %d for %d blocks", n, len(blocks))
	}
}
