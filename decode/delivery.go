package decode

import (
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// delivery is a frame together with the decoder's picture that it shows. Deliveries are recycled.
type delivery struct {
	frame.Frame
	pic *av.Picture
	src *Source
}

// PutFrame takes the frame back, on the goroutine that released it.
func (d *delivery) PutFrame(*frame.Frame) {
	d.blank()
	d.src.recycle(d)
}

// blank drops the picture and all that points to its memory, so that no stale pointer outlives it.
func (d *delivery) blank() {
	d.pic.Unref()
	d.Planes = [frame.MaxPlanes]frame.Plane{}
	d.Block, d.Side = nil, nil
}

func (s *Source) spare() *delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.spares); n > 0 {
		d := s.spares[n-1]
		s.spares = s.spares[:n-1]
		return d
	}
	return &delivery{pic: av.NewPicture(), src: s}
}

// keep puts an unused delivery back.
func (s *Source) keep(d *delivery) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		d.pic.Free()
		return
	}
	s.spares = append(s.spares, d)
}

// recycle takes a delivery back whose frame was released. After Close the last one to come home
// closes the pool.
func (s *Source) recycle(d *delivery) {
	s.keep(d)
	s.count.outstanding.Add(-1)
	if s.slots != nil {
		s.closePoolIfLast()
	}
}

// closePoolIfLast gives slots back that were waited for, once the decoder is gone, and closes the
// pool with the last of them.
func (s *Source) closePoolIfLast() {
	s.mu.Lock()
	off := s.decoderOff
	last := off && s.count.outstanding.Load() == 0 && !s.poolClosed
	s.poolClosed = s.poolClosed || last
	s.mu.Unlock()
	switch {
	case last:
		s.slots.close()
	case off:
		s.slots.collect()
	}
}
