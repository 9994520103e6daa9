package encode

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// coded encodes frames and muxes them with packets copied from the input. The encoder is opened by
// the first frame, which tells what it must be like; packets wait until then.
type coded struct {
	s       *Sink
	p       Params
	t       *target
	enc     *av.Encoder // nil before the first frame
	formats []frame.PixelFormat
	pkt     *av.Packet

	like frame.Info // of the first frame
	tb   frame.Rational
	last int64 // time stamp of the frame before, frame.NoPTS before the first
	gap  int64 // usual duration of a frame, at least 1

	// mu guards what follows: packets of other streams come from another goroutine, which must not
	// wait while a frame is encoded.
	mu     sync.Mutex
	m      *av.Muxer
	queue  queue       // packets that came before the header was written
	ready  bool        // the header is written
	over   bool        // no more packets are taken
	video  int         // the muxer's number of our stream
	copied map[int]int // input stream → the muxer's number
}

func newCoded(s *Sink, p Params) (writer, error) {
	if p.VCodec == "" {
		p.VCodec = DefaultVCodec
	}
	formats, err := av.EncoderFormats(p.VCodec)
	if err != nil {
		return nil, &Error{Output: p.Output, What: "cannot be encoded", Err: err, Settings: true, Hint: "`ffmpeg -encoders` lists what FFmpeg can encode here"}
	}
	if p.VCodec == "mjpeg" {
		formats = fullRange(formats) // it refuses others unless told to break the standard
	}
	m, err := av.NewMuxer("", p.Output)
	if err != nil {
		return nil, &Error{Output: p.Output, What: "is of no known kind", Err: err, Settings: true,
			Hint: "end the name in .mp4, .mkv, .mov, .webm, .ts or .y4m, or write to null: or md5:"}
	}
	c := &coded{s: s, p: p, m: m, formats: formats, pkt: av.NewPacket(), last: frame.NoPTS,
		copied: map[int]int{}, queue: queue{limit: p.QueueBytes}}
	if c.queue.limit <= 0 {
		c.queue.limit = DefaultQueueBytes
	}
	if c.t, err = newTarget(p.Output, p.Input, p.Overwrite); err == nil {
		err = m.Open(c.t.path)
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *coded) format(f frame.PixelFormat) frame.PixelFormat { return bestFormat(c.formats, f) }

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
	pts, duration := c.times(f)
	if err := c.enc.Send(f, pts, duration); err != nil {
		return fmt.Errorf("frame %d: %w", index, err)
	}
	return c.receive()
}

// begin opens the encoder and writes the header, now that the first frame is known.
func (c *coded) begin(f *frame.Frame) (err error) {
	c.like = f.Info
	c.setClock(f)
	enc, err := av.NewEncoder(f, av.EncoderOptions{Codec: c.p.VCodec, TimeBase: c.tb, Rate: f.FrameRate,
		Threads: c.p.Threads, Options: c.options(), GlobalHeader: c.m.GlobalHeader()})
	if err != nil {
		return &Error{Output: c.p.Output, What: "cannot be encoded", Err: err,
			Settings: true, Hint: c.hint(f)}
	}
	c.enc = enc
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.addStreams(enc, f); err != nil {
		return err
	}
	if err := c.m.WriteHeader(); err != nil {
		return err
	}
	c.ready = true
	return c.queue.drain(c.mux)
}

// options are the encoder's, the named ones put among the others.
func (c *coded) options() map[string]string {
	opts := maps.Clone(c.p.Opts)
	if opts == nil {
		opts = map[string]string{}
	}
	if c.p.Preset != "" {
		opts["preset"] = c.p.Preset
	}
	if c.p.CRF != nil {
		opts["crf"] = strconv.FormatFloat(*c.p.CRF, 'g', -1, 64)
	}
	if _, ok := opts["x265-params"]; !ok && c.p.VCodec == "libx265" {
		opts["x265-params"] = "log-level=error" // it talks past FFmpeg's log
	}
	return opts
}

// hint says what to do about an encoder that did not open.
func (c *coded) hint(f *frame.Frame) string {
	d, ok := av.Describe(f.Format)
	if ok && (d.Log2ChromaW > 0 && f.Width%2 != 0 || d.Log2ChromaH > 0 && f.Height%2 != 0) {
		return fmt.Sprintf("many encoders take no odd sizes in %s: scale to even ones, or convert to a 4:4:4 format", f.Format)
	}
	return fmt.Sprintf("check the encoder's options; `ffmpeg -h encoder=%s` lists them", c.p.VCodec)
}

// setClock takes the frames' own time base, so that every time stamp is kept exactly, where the
// codec allows it: MPEG-1 and 2 know a list of frame rates, MPEG-4 part 2 has 16 bits for its clock.
func (c *coded) setClock(f *frame.Frame) {
	rate := f.FrameRate
	if !rate.Valid() {
		rate = fallbackRate
	}
	c.tb = f.TimeBase
	old := c.p.VCodec == "mpeg1video" || c.p.VCodec == "mpeg2video" || c.p.VCodec == "mpeg4" && c.tb.Den > 65535
	if !c.tb.Valid() || old {
		c.tb = frame.Rational{Num: rate.Den, Den: rate.Num}
	}
	c.gap = max(1, av.Rescale(1, frame.Rational{Num: rate.Den, Den: rate.Num}, c.tb))
}

func (c *coded) addStreams(enc *av.Encoder, f *frame.Frame) (err error) {
	matrix := c.p.Video.Matrix()
	if c.p.Upright {
		matrix = nil
	}
	if c.video, err = c.m.AddEncoded(enc, f.FrameRate, c.p.Video, matrix); err != nil {
		return err
	}
	for _, st := range c.p.Copy {
		n, err := c.m.AddCopy(st)
		if err != nil {
			return &Error{Output: c.p.Output, What: fmt.Sprintf("cannot take stream %d", st.Index()), Err: err,
				Hint: "--no-audio leaves the sound out; .mkv holds nearly everything"}
		}
		c.copied[st.Index()] = n
	}
	return c.m.SetMetadata(c.p.Metadata)
}

// times gives the frame's time stamp, later than the one before, and its duration.
func (c *coded) times(f *frame.Frame) (pts, duration int64) {
	pts, duration = f.PTS, f.Duration
	if f.TimeBase.Valid() && f.TimeBase != c.tb {
		pts, duration = av.Rescale(pts, f.TimeBase, c.tb), av.Rescale(duration, f.TimeBase, c.tb)
	}
	if duration <= 0 {
		duration = c.gap
	}
	switch {
	case pts == frame.NoPTS && c.last == frame.NoPTS:
		pts = 0
		c.s.adjusted.Add(1)
	case pts == frame.NoPTS:
		pts = c.last + c.gap
		c.s.adjusted.Add(1)
	case c.last != frame.NoPTS && pts <= c.last:
		pts = c.last + 1
		c.s.adjusted.Add(1)
	}
	c.last = pts
	return pts, duration
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
	if !ok || !c.wants(p.Stream) {
		release(p)
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.over:
		release(p)
		return ErrClosed
	case !c.ready:
		return c.queue.put(p.Stream, n)
	}
	return c.mux(p.Stream, n)
}

// wants says whether the stream is one of those to be copied; these never change.
func (c *coded) wants(stream int) bool {
	return slices.ContainsFunc(c.p.Copy, func(s *StreamParams) bool { return s.Index() == stream })
}

// mux writes a copied packet and frees it. The lock is held.
func (c *coded) mux(stream int, p *av.Packet) error {
	defer p.Free()
	if err := c.m.WritePacket(c.copied[stream], p); err != nil {
		return fmt.Errorf("stream %d: %w", stream, err)
	}
	c.s.packets.Add(1)
	return nil
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
	defer c.mu.Unlock()
	c.over = true
	c.queue.clear()
	c.m.Close()
	c.pkt.Free()
	if c.t != nil {
		c.t.abandon()
	}
}
