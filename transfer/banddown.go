package transfer

import (
	"context"
	"unsafe"

	"github.com/pinring/pinring/gpu"
)

// Banded reports whether the result comes down in bands: by [Staging.DownloadBands], when what
// computes it is done. RecordDownload then appends nothing.
func (s *Slot) Banded() bool { return s.banded }

// DownloadBands copies bytes of device memory at dev into the slot, and returns when they are there.
// The stream must have nothing pending but what they come from. It belongs to one goroutine, which may
// be another than Stage's. After an error copies out of dev may be under way until the stream is
// synchronized.
func (s *Staging) DownloadBands(ctx context.Context, stream gpu.Stream, slot *Slot, dev gpu.Addr, bytes int) error {
	b := s.downBands
	s.bandedDown.Add(1)
	ahead := len(b.gears) - 1 // bands under way while one is emptied
	oldest := b.next
	for at := 0; at < bytes+ahead*b.bytes; at += b.bytes {
		if at < bytes {
			if err := b.fetch(ctx, stream, dev+gpu.Addr(at), min(b.bytes, bytes-at)); err != nil {
				return err
			}
		}
		if from := at - ahead*b.bytes; from >= 0 && from < bytes {
			to := unsafe.Slice((*byte)(unsafe.Add(slot.Base, from)), min(b.bytes, bytes-from))
			if err := b.gears[oldest].empty(ctx, to); err != nil {
				return err
			}
			oldest = (oldest + 1) % len(b.gears)
		}
	}
	return nil
}

// fetch starts the copy of a band into the next slot.
func (b *bands) fetch(ctx context.Context, stream gpu.Stream, from gpu.Addr, bytes int) error {
	g := b.turn()
	if err := g.wait(ctx); err != nil {
		return err
	}
	g.cmds.Reset()
	g.cmds.Copy(gpu.OpCopyD2H, buffer(g.block).Addr(), from, bytes)
	return b.submit(stream, g)
}

// empty copies a band out of its slot when it is there.
func (g *gear) empty(ctx context.Context, to []byte) error {
	if err := g.wait(ctx); err != nil {
		return err
	}
	copy(to, unsafe.Slice((*byte)(g.block.Base), len(to)))
	g.ready <- nil
	return nil
}
