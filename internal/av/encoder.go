package av

// #include "encopts.h"
// #include "output.h"
// #include <libavutil/pixdesc.h>
import "C"

import (
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/asticode/go-astiav"

	"github.com/pinring/pinring/frame"
)

// EncoderOptions set an encoder up.
type EncoderOptions struct {
	Codec    string         // FFmpeg's name of the encoder, "libx264"
	TimeBase frame.Rational // of the time stamps that Send is told
	Rate     frame.Rational // nominal frame rate, for rate control; may be unknown
	Threads  int            // 0: as many as FFmpeg thinks good
	Options  map[string]string
	// Quantiser is constant when it is not 0; encoders without a constant rate factor use it.
	Quantiser float64
	// GlobalHeader puts the codec's headers beside the stream, as some containers want.
	GlobalHeader bool
}

// ErrNoEncoder says that FFmpeg was built without the encoder.
var ErrNoEncoder = errors.New("no such encoder")

// Encoder encodes frames without copying them: it reads a frame's memory where it lies and releases
// the frame when the codec has let go of it. One goroutine at a time.
type Encoder struct {
	cc    *astiav.CodecContext
	loans *C.pr_loans
	f     *astiav.Frame
	lent  *lender

	held []*frame.Frame // by loan id, nil where free
	free []int
	out  int // loans that run
	peak int

	// mustDrain is set while the codec would wait for ever to be closed, since it was not told that no frame
	// follows: SVT-AV1 does.
	mustDrain bool
	fed       bool // it got a frame

	// What the codec does not carry through: durations by time stamp.
	durations []timed
}

type timed struct{ pts, duration int64 }

// EncoderFormats lists the pixel formats that an encoder takes.
func EncoderFormats(codec string) ([]frame.PixelFormat, error) {
	c := astiav.FindEncoderByName(codec)
	if c == nil {
		return nil, fmt.Errorf("%w (%s)", ErrNoEncoder, codec)
	}
	var out []frame.PixelFormat
	for _, f := range c.PixelFormats() {
		out = append(out, formatName(C.int(f)))
	}
	return out, nil
}

// BestFormat is the format among those given that keeps most of f: alpha, where it has one, then
// depth, chroma, colour model; f itself when it is among them or none are given. The same format in
// the other byte order comes before all others.
func BestFormat(of []frame.PixelFormat, f frame.PixelFormat) frame.PixelFormat {
	list := make([]int32, 0, len(of)+1)
	for _, o := range of {
		if o == f {
			return f
		}
		list = append(list, int32(formatOf(o)))
	}
	src := formatOf(f)
	if len(list) == 0 || src < 0 {
		return f
	}
	if twin := C.av_pix_fmt_swap_endianness(int32(src)); twin >= 0 && slices.Contains(list, twin) {
		return formatName(C.int(twin))
	}
	list = append(list, C.AV_PIX_FMT_NONE)
	return formatName(C.pr_best_format(&list[0], src))
}

// NewEncoder opens an encoder for frames like the given one, which stays the caller's.
func NewEncoder(like *frame.Frame, o EncoderOptions) (e *Encoder, err error) {
	err = explained(func() error {
		e, err = openEncoder(like, o)
		return err
	})
	return e, err
}

func openEncoder(like *frame.Frame, o EncoderOptions) (*Encoder, error) {
	codec := astiav.FindEncoderByName(o.Codec)
	if codec == nil {
		return nil, fmt.Errorf("%w (%s)", ErrNoEncoder, o.Codec)
	}
	e := &Encoder{cc: astiav.AllocCodecContext(codec), loans: C.pr_loans_new(), f: astiav.AllocFrame(), lent: newLender()}
	if err := e.open(codec, like, o); err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

func (e *Encoder) open(codec *astiav.Codec, like *frame.Frame, o EncoderOptions) error {
	p := e.lent.describe(like, 0)
	C.pr_encoder_setup(cCodec(e.cc), p, cRational(o.TimeBase), cRational(o.Rate), boolInt(o.GlobalHeader))
	e.cc.SetThreadCount(o.Threads)
	if o.Quantiser > 0 {
		C.pr_encoder_quality(cCodec(e.cc), C.double(o.Quantiser))
	}
	d := astiav.NewDictionary()
	defer d.Free()
	for k, v := range o.Options {
		if err := d.Set(k, v, 0); err != nil {
			return failErr("set encoder option "+k, err)
		}
	}
	if err := failErr("open encoder "+codec.Name(), e.cc.Open(codec, d)); err != nil {
		return err
	}
	e.mustDrain = codec.Name() == "libsvtav1"
	if left := metadata(d); len(left) > 0 {
		return fmt.Errorf("encoder %s has no option %s", codec.Name(), keys(left))
	}
	return nil
}

func keys(m map[string]string) string {
	var ks []string
	for k := range m {
		ks = append(ks, fmt.Sprintf("%q", k))
	}
	sort.Strings(ks)
	s := ks[0]
	for _, k := range ks[1:] {
		s += ", " + k
	}
	return s
}

// Holds is how many frames the encoder may keep after Send took the next.
func (e *Encoder) Holds() int { return int(C.pr_encoder_holds(cCodec(e.cc))) }

// EncoderMayHold is what Holds will be at most for an encoder that is not open yet. bFrames is the
// most B-frames in a row that it may be told to make.
func EncoderMayHold(codec string, threads, bFrames int) int {
	c := astiav.FindEncoderByName(codec)
	if c == nil {
		return 0
	}
	return int(C.pr_encoder_may_hold(cCodecType(c), C.int(threads), C.int(bFrames)))
}

// Threads is how many threads the encoder uses.
func (e *Encoder) Threads() int { return max(1, e.cc.ThreadCount()) }

// HeldMax is the most frames that the encoder ever kept at the end of a Send.
func (e *Encoder) HeldMax() int { return e.peak }

// Send encodes a frame, whose time stamp is pts in the encoder's time base; duration may be 0. It
// owns the frame, on error too. Receive must have returned Again before the next Send.
func (e *Encoder) Send(f *frame.Frame, pts, duration int64) error {
	id := e.keep(f)
	var side *C.AVFrame
	if p, ok := f.Side.(*Picture); ok && p != nil {
		side = cFrame(p.f)
	}
	r := C.pr_lend(e.loans, e.lent.describe(f, pts), side, C.int(id), cFrame(e.f))
	if r < 0 {
		e.drop(id)
		return fail("encode", int(r))
	}
	e.durations = append(e.durations, timed{pts, duration})
	err := failErr("encode", e.cc.SendFrame(e.f))
	e.fed = e.fed || err == nil
	e.f.Unref()
	e.reclaim()
	e.peak = max(e.peak, e.out)
	return err
}

// Drain tells the encoder that no frame follows: Receive then hands out what is left.
func (e *Encoder) Drain() error {
	r := C.avcodec_send_frame(cCodec(e.cc), nil)
	e.mustDrain = false
	e.reclaim()
	return fail("drain encoder", int(r))
}

// Receive fills p with the next packet; its time stamps and duration are in the encoder's time base.
func (e *Encoder) Receive(p *Packet) (Status, error) {
	r := C.avcodec_receive_packet(cCodec(e.cc), cPacket(p.p))
	e.reclaim()
	switch {
	case r >= 0:
		if d := e.duration(p.PTS()); d > 0 {
			p.SetDuration(d)
		}
		return Got, nil
	case r == C.int(astiav.ErrEagain):
		return Again, nil
	case r == C.int(astiav.ErrEof):
		return Ended, nil
	}
	return Broken, fail("encode", int(r))
}

// duration finds and forgets the duration of the frame with that time stamp.
func (e *Encoder) duration(pts int64) int64 {
	for i, t := range e.durations {
		if t.pts == pts {
			last := len(e.durations) - 1
			e.durations[i] = e.durations[last]
			e.durations = e.durations[:last]
			return t.duration
		}
	}
	return 0
}

func (e *Encoder) keep(f *frame.Frame) int {
	e.out++
	if n := len(e.free); n > 0 {
		id := e.free[n-1]
		e.free = e.free[:n-1]
		e.held[id] = f
		return id
	}
	e.held = append(e.held, f)
	return len(e.held) - 1
}

func (e *Encoder) drop(id int) {
	f := e.held[id]
	e.held[id] = nil
	e.free = append(e.free, id)
	e.out--
	f.Release()
}

// reclaim releases the frames that the codec has let go of.
func (e *Encoder) reclaim() {
	if e.out == 0 {
		return
	}
	var ids [16]C.int
	for {
		n := int(C.pr_loans_take(e.loans, &ids[0], C.int(len(ids))))
		for _, id := range ids[:n] {
			e.drop(int(id))
		}
		if n < len(ids) {
			return
		}
	}
}

// giveUp drains a codec that could not be closed otherwise.
func (e *Encoder) giveUp() {
	if e.mustDrain {
		C.pr_encoder_give_up(cCodec(e.cc), boolInt(!e.fed))
		e.reclaim()
	}
}

// Close releases the encoder and with it all frames that it still holds. Idempotent.
func (e *Encoder) Close() {
	if e.cc == nil {
		return
	}
	e.giveUp()
	e.cc.Free()
	e.cc = nil
	e.f.Free()
	e.lent.free()
	e.reclaim()
	C.pr_loans_unref(e.loans)
	e.loans = nil
}
