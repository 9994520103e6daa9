package encode

import (
	"math/bits"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// digest writes a checksum for each frame. The lines are those of
//
//	ffmpeg -noautorotate -i INPUT -map 0:v:0 -autoscale 0 -fps_mode passthrough -f framemd5 -
//
// whose encoder counts in units of the nominal frame duration, and whose muxer never lets time run
// backwards (fftools/ffmpeg.c and ffmpeg_mux.c of FFmpeg 5.1).
type digest struct {
	*rawFile
	s    *Sink
	tb   frame.Rational
	last int64 // decoding time stamp of the frame before
}

func newDigest(s *Sink, p Params, path string) (writer, error) {
	if path == "" {
		path = "-"
	}
	f, err := newRawFile(p, "framemd5", path)
	if err != nil {
		return nil, err
	}
	return &digest{rawFile: f, s: s, last: frame.NoPTS}, nil
}

func (d *digest) format(f frame.PixelFormat) frame.PixelFormat { return f }

// followsSize: each line has the size of its own frame.
func (d *digest) followsSize() bool { return true }

func (d *digest) packet(p *frame.Packet) error { release(p); return nil }

// fallbackRate is what FFmpeg's program assumes of a stream that has no frame rate.
var fallbackRate = frame.Rational{Num: 25, Den: 1}

func (d *digest) begin(f *frame.Frame) error {
	rate := f.FrameRate
	if !rate.Valid() {
		rate = fallbackRate
	}
	d.tb = frame.Rational{Num: rate.Den, Den: rate.Num}
	d.m.AddPictures(f, d.tb, rate, false)
	d.ready = true
	return d.m.WriteHeader(nil)
}

func (d *digest) write(f *frame.Frame) error {
	defer f.Release()
	if !d.ready {
		if err := d.begin(f); err != nil {
			return err
		}
	}
	pts := nearest(f.PTS, f.TimeBase, d.tb)
	dts := pts
	if d.last != frame.NoPTS && dts < d.last {
		dts = d.last
		pts = max(pts, dts)
		d.s.adjusted.Add(1)
	}
	if dts != frame.NoPTS {
		d.last = dts
	}
	return d.m.WritePacked(f, pts, dts)
}

// nearest converts a time stamp as FFmpeg's program does: with some extra bits first, and then to the
// nearest, exact halves away from zero. FFmpeg does the second step in floating point, which agrees
// until the time stamp is beyond what a double holds; whole numbers stay right there too. NoPTS is
// the result when the value does not fit.
func nearest(pts int64, from, to frame.Rational) int64 {
	if pts == frame.NoPTS || !from.Valid() {
		return pts
	}
	extra := min(max(29-(bits.Len(uint(to.Den))-1), 0), 16)
	v := av.Rescale(pts, from, frame.Rational{Num: to.Num, Den: to.Den << extra})
	if v == frame.NoPTS || extra == 0 {
		return av.Rescale(pts, from, to)
	}
	half := uint64(1) << (extra - 1)
	if v < 0 {
		return -int64((uint64(-v) + half) >> extra)
	}
	return int64((uint64(v) + half) >> extra)
}
