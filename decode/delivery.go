package decode

import (
	"sync/atomic"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// delivery is a frame together with the decoder's picture that it shows. Deliveries are recycled.
type delivery struct {
	frame.Frame
	pic *av.Picture
	src *Source
	// users are those that still need the picture: who was handed the frame, views of it, and the
	// source when it may show it again.
	users atomic.Int32
}

// PutFrame takes the frame back, on the goroutine that released it.
func (d *delivery) PutFrame(*frame.Frame) {
	src := d.src
	d.letGo()
	src.returned()
}

// letGo ends one use of the picture; the last one gives it back to the decoder.
func (d *delivery) letGo() {
	if d.users.Add(-1) == 0 {
		d.src.drop(d)
	}
}

// blank drops the picture and all that points to its memory, so that no stale pointer outlives it.
func (d *delivery) blank() {
	d.pic.Unref()
	d.Planes = [frame.MaxPlanes]frame.Plane{}
	d.Block, d.Side = nil, nil
}

// view is a frame that shows the picture of a delivery once more, without a copy. Views are recycled.
type view struct {
	frame.Frame
	of *delivery
}

// PutFrame takes the frame back, on the goroutine that released it.
func (v *view) PutFrame(*frame.Frame) {
	of := v.of
	src := of.src
	v.of, v.Block, v.Side = nil, nil, nil
	v.Planes = [frame.MaxPlanes]frame.Plane{}
	src.mu.Lock()
	src.views = append(src.views, v)
	src.mu.Unlock()
	of.letGo()
	src.returned()
}

func (s *Source) spareView() *view {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.views); n > 0 {
		v := s.views[n-1]
		s.views = s.views[:n-1]
		return v
	}
	return &view{}
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

// drop gives a picture back to the decoder.
func (s *Source) drop(d *delivery) {
	d.blank()
	s.keep(d)
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

// returned counts a frame that came home. After Close the last one closes the pool.
func (s *Source) returned() {
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
