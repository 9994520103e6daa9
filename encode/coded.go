package encode

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// coded encodes frames and muxes them with what goes with them. The encoder is opened by the first
// frame, which tells what it must be like; packets of other streams wait until then.
type coded struct {
	s       *Sink
	p       Params
	t       *target
	enc     *av.Encoder // nil before the first frame
	formats formats
	pkt     *av.Packet

	like  frame.Info // of the first frame
	clock clock

	tracks map[int]*track // by stream of the input; never changes after Open
	order  []*track

	// mu guards what follows: packets of other streams come from other goroutines, which must not
	// wait while a frame is encoded.
	mu    sync.Mutex
	m     *av.Muxer
	queue queue // packets that came before the header was written
	ready bool  // the header is written
	over  bool  // no more packets are taken
	video int   // the muxer's number of our stream
}

func newCoded(s *Sink, p Params) (writer, error) {
	m, err := newMuxer(&p)
	if err != nil {
		return nil, err
	}
	c := &coded{s: s, m: m, pkt: av.NewPacket(), queue: queue{limit: p.QueueBytes}}
	if c.queue.limit <= 0 {
		c.queue.limit = DefaultQueueBytes
	}
	if err := c.open(p); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *coded) open(p Params) (err error) {
	if err := chooseEncoder(&p, c.m); err != nil {
		return err
	}
	c.p = p
	if c.formats, err = encoderFormats(&p); err != nil {
		return err
	}
	if c.t, err = newTarget(p.Output, p.Input, p.Overwrite); err != nil {
		return err
	}
	if err := c.m.Open(c.t.path); err != nil {
		return err
	}
	return c.planTracks()
}

func (c *coded) format(f frame.PixelFormat) frame.PixelFormat { return c.formats.choose(f) }

// maxHeld is exact once the encoder is open; before that it is what an encoder of many threads
// could keep.
func (c *coded) maxHeld() int {
	if c.enc != nil {
		return c.enc.Holds()
	}
	b, _ := strconv.Atoi(c.p.Opts["bf"]) // a bad number is the encoder's to complain about
	return av.EncoderMayHold(c.p.VCodec, c.p.Threads, max(0, b))
}

func (c *coded) followsSize() bool { return false }

func (c *coded) hurry() { c.m.Hurry() }

func (c *coded) written() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.m.Bytes()
}

func (c *coded) write(f *frame.Frame) error {
	if c.enc == nil {
		if err := c.begin(f); err != nil {
			f.Release()
			return err
		}
	}
	if err := sameShape(c.like, f); err != nil {
		f.Release()
		return err
	}
	index := f.Index
	pts, duration, adjusted := c.clock.times(f)
	if adjusted {
		c.s.adjusted.Add(1)
	}
	if err := c.enc.Send(f, pts, duration); err != nil {
		return fmt.Errorf("frame %d: %w", index, err)
	}
	return c.receive()
}

// begin opens the encoder and writes the header, now that the first frame is known.
func (c *coded) begin(f *frame.Frame) error {
	c.like = f.Info
	c.clock = newClock(f, c.p.VCodec)
	hdr := f.HDR
	if hdr == nil {
		hdr = c.p.Video.HDR()
	}
	enc, err := av.NewEncoder(f, av.EncoderOptions{Codec: c.p.VCodec, TimeBase: c.clock.tb, Rate: f.FrameRate,
		Threads: c.p.Threads, Options: c.options(hdr), Quantiser: c.quantiser(), GlobalHeader: c.m.GlobalHeader()})
	if err != nil {
		return c.encoderError(f, err)
	}
	c.enc = enc
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.addStreams(f, hdr); err != nil {
		return err
	}
	if err := c.m.WriteHeader(c.containerOptions()); err != nil {
		return err
	}
	c.ready = true
	return c.queue.drain(c.mux)
}

func (c *coded) addStreams(f *frame.Frame, hdr *frame.HDR) (err error) {
	traits := av.VideoTraits{Rate: f.FrameRate, Like: c.p.Video, Matrix: c.p.Matrix, HDR: hdr}
	if traits.Matrix == nil && !c.p.Upright {
		traits.Matrix = c.p.Video.Matrix()
	}
	streamCode, metadata := c.timecodes(f)
	traits.Timecode = streamCode
	if c.video, err = c.m.AddEncoded(c.enc, traits); err != nil {
		return err
	}
	for _, t := range c.order {
		if err := t.add(c.m); err != nil {
			return &Error{Output: c.p.Output, What: fmt.Sprintf("cannot take stream %d", t.in.Index()), Err: err,
				Hint: "--no-audio and --no-subtitles leave streams out; .mkv holds nearly everything"}
		}
	}
	if err := c.m.AddChapters(c.p.Chapters); err != nil {
		return err
	}
	return c.m.SetMetadata(metadata)
}

// containerOptions puts the index of MP4 files at their beginning, so that players on the web need
// not fetch the end first. That needs a file that can be read again. Where streams begin is written there in units of
// the whole file, milliseconds unless one says otherwise: samples of the sound are exact.
func (c *coded) containerOptions() map[string]string {
	f := c.m.Format()
	if f != "mp4" && f != "mov" && !strings.HasPrefix(f, "3g") && f != "ipod" {
		return nil
	}
	opts := map[string]string{}
	if c.t.to != "" {
		opts["movflags"] = "+faststart"
	}
	for _, t := range c.order {
		if rate := t.in.SampleRate(); rate > 1000 {
			opts["movie_timescale"] = strconv.Itoa(rate)
			break
		}
	}
	return opts
}

// receive writes what the encoder has finished.
func (c *coded) receive() error {
	for {
		st, err := c.enc.Receive(c.pkt)
		if st != av.Got {
			return err
		}
		c.mu.Lock()
		err = c.m.WritePacket(c.video, c.pkt)
		c.mu.Unlock()
		if err != nil {
			return err
		}
	}
}

func (c *coded) packet(p *frame.Packet) error {
	n, ok := p.Native.(*av.Packet)
	t := c.tracks[p.Stream]
	if !ok || t == nil || p.Lead && t.sound == nil {
		release(p)
		return nil
	}
	return c.take(t, n)
}

func (c *coded) partial() string { return c.t.partial() }

func (c *coded) finish() error {
	if c.enc == nil {
		return ErrNoFrames
	}
	if err := c.enc.Drain(); err != nil {
		return err
	}
	if err := c.receive(); err != nil {
		return err
	}
	if err := c.finishTracks(); err != nil {
		return err
	}
	c.tellDamage()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	if err := c.m.Finish(); err != nil {
		return err
	}
	return c.t.commit()
}

func (c *coded) close() {
	if c.enc != nil {
		c.enc.Close()
	}
	c.mu.Lock()
	c.over = true
	c.mu.Unlock()
	c.closeTracks() // their goroutines use the muxer
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue.clear()
	c.m.Close()
	c.pkt.Free()
	if c.t != nil {
		c.t.abandon()
	}
}
