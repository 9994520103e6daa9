package av

// #include "input.h"
// #include "owner.h"
// #include "picture.h"
// #include <stdlib.h>
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/asticode/go-astiav"

	"github.com/pinring/pinring/frame"
)

// ErrNoDecoder says that FFmpeg was built without a decoder for the codec.
var ErrNoDecoder = errors.New("no decoder for this codec")

// ErrTooLarge: a picture has more pixels than are allowed.
var ErrTooLarge = errors.New("its pictures have more pixels than are allowed")

// DecoderOptions set a decoder up.
type DecoderOptions struct {
	Threads int // 0: as many as FFmpeg thinks good for the machine
	// MaxPixels bounds what is allocated for a picture: larger ones are refused, unless they are only as
	// much larger as others are with their padding.
	MaxPixels int64
	// KnowDamage makes the decoder tell of every damaged picture that it is. H.264 and MPEG-4 are
	// decoded by one thread then: with one picture on each thread FFmpeg may hand a picture out before
	// it knows, and with slices side by side it does not look for missing ones.
	KnowDamage bool
	// Pool is where pictures are put, nil for memory of the decoder's own. A decoder that cannot
	// use memory of others leaves it alone; see UsesPool.
	Pool *Pool
}

// Decoder turns packets of one stream into pictures. One goroutine at a time; pictures may be
// given back from any.
type Decoder struct {
	cc     *astiav.CodecContext
	stream *astiav.Stream
	pool   *Pool // nil when not used
	name   string
	sar    frame.Rational // the container's, which goes before the codec's

	announced bool // see AnnouncedTooLarge

	own  *C.pr_owner
	c    *C.pr_picture // C memory: stale addresses of pixels in it are none of the collector's business
	info frame.Info
	tags colorTags
	fmt  C.int
	hdr  hdrMemory
}

// Status is what Receive found.
type Status int

// The outcomes of Receive.
const (
	Got    Status = iota // a picture
	Again                // nothing before another packet is sent
	Ended                // nothing any more: the decoder is drained
	Broken               // the decoder could make nothing of a packet
)

// NewDecoder opens a decoder for a stream of the input. The input must outlive it.
func NewDecoder(in *Input, stream int, o DecoderOptions) (*Decoder, error) {
	st := in.streams[stream]
	id := st.CodecParameters().CodecID()
	codec := astiav.FindDecoder(id)
	if codec == nil {
		return nil, fmt.Errorf("%w (%s)", ErrNoDecoder, id.Name())
	}
	d := &Decoder{cc: astiav.AllocCodecContext(codec), stream: st, name: codec.Name(), fmt: -2,
		own: (*C.pr_owner)(C.calloc(1, C.sizeof_pr_owner)), c: (*C.pr_picture)(C.calloc(1, C.sizeof_pr_picture))}
	if err := explained(func() error { return d.open(codec, o) }); err != nil {
		if d.tooLargeAtOpen(in) {
			err = ErrTooLarge // FFmpeg's words have the limit with padding
		}
		d.Close()
		return nil, err
	}
	d.announced = d.tooLargeAtOpen(in)
	s := &in.Streams[stream]
	d.sar = s.SAR
	d.info = frame.Info{TimeBase: s.TimeBase, FrameRate: s.FrameRate}
	return d, nil
}

func (d *Decoder) open(codec *astiav.Codec, o DecoderOptions) error {
	if err := d.stream.CodecParameters().ToCodecContext(d.cc); err != nil {
		return failErr("set decoder up", err)
	}
	cCodec(d.cc).opaque = unsafe.Pointer(d.own)
	C.pr_decoder_setup(cCodec(d.cc), cStream(d.stream), C.int64_t(withPadding(o.MaxPixels)))
	d.cc.SetThreadCount(o.Threads)
	if o.KnowDamage && C.pr_tells_damage_late(uint32(d.cc.CodecID())) != 0 {
		d.cc.SetThreadCount(1)
	}
	if o.Pool != nil && cCodecType(codec).capabilities&C.AV_CODEC_CAP_DR1 != 0 {
		d.pool = o.Pool
		C.pr_pool_attach(d.pool.c, cCodec(d.cc))
	}
	return failErr("open decoder "+codec.Name(), d.cc.Open(codec, nil))
}

// TookTooLarge reports whether a picture was refused since the last call because it has more than
// MaxPixels. It is known of a packet, at the latest, when the packet's error is; with several threads
// it may be one of the next packets that was refused.
func (d *Decoder) TookTooLarge() bool { return C.pr_owner_take_too_large(d.own) != 0 }

// tooLargeAtOpen says whether the container speaks of pictures that are too large.
func (d *Decoder) tooLargeAtOpen(in *Input) bool {
	return d.TookTooLarge() || in.tooLarge && d.stream.CodecParameters().Width() == 0
}

// AnnouncedTooLarge reports whether the container speaks of larger pictures than MaxPixels. The decoder
// then believes only what it finds in the pictures, if they tell their size.
func (d *Decoder) AnnouncedTooLarge() bool { return d.announced }

// Name is the decoder's name, which may differ from the codec's ("libdav1d").
func (d *Decoder) Name() string { return d.name }

// Threads is how many threads the decoder uses.
func (d *Decoder) Threads() int { return max(1, d.cc.ThreadCount()) }

// UsesPool reports whether the decoder writes into memory of others at all.
func (d *Decoder) UsesPool() bool { return d.pool != nil }

// HeldPictures is the most pictures that the decoder refers to by itself: those that it predicts
// from or has yet to put in order, and one for each further thread.
func (d *Decoder) HeldPictures() int {
	return int(C.pr_dpb(uint32(d.cc.CodecID()))) + d.Threads()
}

// Layout is how the decoder would lay out a picture in a block; false when the stream's format or
// size is not known yet.
func (d *Decoder) Layout() (frame.Layout, bool) {
	par := d.stream.CodecParameters()
	if par.Width() <= 0 || par.Height() <= 0 || par.PixelFormat() < 0 {
		return frame.Layout{}, false
	}
	// The decoder's own idea of the format decides the alignment; before the first picture it may
	// have none.
	if d.cc.PixelFormat() < 0 {
		d.cc.SetPixelFormat(par.PixelFormat())
	}
	var l C.pr_layout
	if C.pr_layout_for_decoder(cCodec(d.cc), C.int(par.PixelFormat()), C.int(par.Width()), C.int(par.Height()), &l) < 0 {
		return frame.Layout{}, false
	}
	return layoutFromC(&l, formatName(l.format)), true
}

// Send gives the decoder a packet. An error means that the packet was no good; go on with the next.
func (d *Decoder) Send(p *Packet) error { return failErr("decode", d.cc.SendPacket(p.p)) }

// Drain tells the decoder that no packet follows: Receive then hands out what is left.
func (d *Decoder) Drain() error { return failErr("drain decoder", d.cc.SendPacket(nil)) }

// Flush makes the decoder forget everything, as after a seek.
func (d *Decoder) Flush() { C.avcodec_flush_buffers(cCodec(d.cc)) }

// PacketDuration is how long a picture lasts by the frame rate, in microseconds, 0 when unknown.
func (d *Decoder) PacketDuration() int64 {
	return int64(C.pr_packet_duration_us(cStream(d.stream), cCodec(d.cc)))
}

// PoolNews says what the last Receive found to do about the pool.
type PoolNews struct {
	Returned bool // TakeReturned has something
	Demand   int  // bytes of a block that the pool lacked, 0: none
}

// Receive takes the next picture, in presentation order, into p and describes it in f: everything
// but Index. p must be empty. err is set with Broken only.
func (d *Decoder) Receive(p *Picture, f *frame.Frame) (st Status, news PoolNews, err error) {
	var pool *C.pr_pool
	if d.pool != nil {
		pool = d.pool.c
	}
	r := C.pr_receive(cCodec(d.cc), cStream(d.stream), pool, cFrame(p.f), d.c)
	news = PoolNews{Returned: d.c.returned > 0, Demand: int(d.c.demand)}
	switch {
	case r >= 0:
		d.describe(p, f)
		return Got, news, nil
	case r == C.int(astiav.ErrEagain):
		return Again, news, nil
	case r == C.int(astiav.ErrEof):
		return Ended, news, nil
	}
	return Broken, news, fail("decode", int(r))
}

func (d *Decoder) describe(p *Picture, f *frame.Frame) {
	c := d.c
	if c.at.format != d.fmt {
		d.fmt = c.at.format
		d.info.Format = formatName(c.at.format)
	}
	tags := colorTags{c.color_range, c.matrix, c.primaries, c.transfer, c.chroma}
	if tags != d.tags {
		d.tags = tags
		d.info.Color = tags.names()
	}
	d.info.Width, d.info.Height = int(c.at.width), int(c.at.height)
	d.info.SAR = d.sar
	if d.sar.Num == 0 {
		d.info.SAR = frame.Rational{Num: int(c.sar.num), Den: int(c.sar.den)}
	}
	f.Info = d.info
	fill(f, c)
	f.Side = p
	f.HDR = d.hdr.of(cFrame(p.f))
	if d.pool != nil {
		f.Block = d.pool.block(c.block)
	}
}

// Close releases the decoder. Pictures that were handed out stay valid. Idempotent.
func (d *Decoder) Close() {
	if d.cc != nil {
		d.cc.Free()
		d.cc = nil
		C.free(unsafe.Pointer(d.c))
		C.free(unsafe.Pointer(d.own))
		d.c, d.own = nil, nil
	}
}
