package decode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// Source decodes one video stream. Next and Close belong to one goroutine at a time; frames may be
// released, and Stats and Input read, from any, also after Close.
type Source struct {
	p       Params
	in      *av.Input
	dec     *av.Decoder
	slots   *slots // nil when the decoder uses memory of its own
	video   int
	clock   *clock
	tracks  []*track // by stream, nil when not read
	about   Input
	count   counters
	pkt     *av.Packet
	state   state
	index   int64
	base    int64 // added to time stamps: where the rounds before ended
	end     int64 // where the latest frame ends
	packets int64 // duration of the packet being decoded, in its stream's time base

	mu         sync.Mutex
	spares     []*delivery
	closed     bool // no more frames are made
	decoderOff bool // nothing but frames that are out refers to slots
	poolClosed bool
}

// state is where the source stands between two calls of Receive.
type state int

const (
	reading  state = iota // send another packet
	fresh                 // a packet was sent, nothing received since
	again                 // a frame came, there may be more of the same packet
	draining              // no more packets
	ended
)

// Open opens a file and gets a decoder ready. ctx may end the opening; it is not kept. The error is
// an *Error unless ctx ended.
func Open(ctx context.Context, p Params) (*Source, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if p.MaxPixels <= 0 {
		p.MaxPixels = DefaultMaxPixels
	}
	in, err := av.OpenInput(ctx, av.InputOptions{Path: p.Path, References: p.References, MaxPixels: p.MaxPixels})
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, av.ErrReference):
		return nil, &Error{Path: p.Path, What: "is not opened", Err: ErrReferencesFiles,
			Hint: "name the video files themselves"}
	default:
		return nil, openError(p.Path, err)
	}
	s := &Source{p: p, in: in, pkt: av.NewPacket()}
	if err := s.setup(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Source) setup() error {
	var err error
	if s.video, err = choose(s.p.Path, s.in.Streams, s.p.Stream); err != nil {
		return err
	}
	if err := s.openDecoder(); err != nil {
		return &Error{Path: s.p.Path, What: fmt.Sprintf("stream %d (%s) cannot be decoded", s.video,
			s.in.Streams[s.video].Codec), Err: err, Hint: "`ffmpeg -decoders` lists what FFmpeg can decode here"}
	}
	s.in.Keep(s.wants)
	s.startClocks()
	s.about = s.describe()
	return s.firstSlots()
}

// startClocks begins the timeline of every stream that is read.
func (s *Source) startClocks() {
	s.clock = newClock(s.in, s.wants)
	s.tracks = s.tracks[:0]
	for i := range s.in.Streams {
		var t *track
		if s.wants(i) {
			t = newTrack(s.clock, &s.in.Streams[i], i == s.video)
		}
		s.tracks = append(s.tracks, t)
	}
}

// Rewind goes back to the beginning after io.EOF. Index and time stamps of the frames go on where
// they had come to, as if the file were twice as long. It fails for inputs that cannot be read twice.
func (s *Source) Rewind() error {
	if err := s.in.Rewind(); err != nil {
		return &Error{Path: s.p.Path, What: "cannot be read again", Err: err, Hint: "a pipe can be read only once: use a file"}
	}
	s.dec.Flush()
	s.startClocks()
	s.base, s.state = s.end, reading
	return nil
}

func (s *Source) openDecoder() (err error) {
	o := av.DecoderOptions{Threads: s.p.Threads, MaxPixels: s.p.MaxPixels}
	if s.p.Lender != nil {
		if s.slots, err = newSlots(s.p.Lender, &s.count); err != nil {
			return err
		}
		o.Pool = s.slots.pool
	}
	s.dec, err = av.NewDecoder(s.in, s.video, o)
	if s.slots != nil && (err != nil || !s.dec.UsesPool()) {
		s.slots.pool.Close()
		s.slots = nil
	}
	return err
}

// wants says whether the packets of a stream are read at all.
func (s *Source) wants(i int) bool {
	st := s.in.Streams[i]
	switch {
	case i == s.video:
		return true
	case s.p.Packets == nil || st.Picture:
		return false
	case s.p.PassThrough == nil:
		return st.Kind == "audio"
	}
	return s.p.PassThrough(st)
}

// slotsNeeded is how many pictures may be alive at once: those that the decoder holds, those
// downstream, and the one that is being handed over.
func (s *Source) slotsNeeded() int { return s.dec.HeldPictures() + s.p.InFlight + 1 }

// firstSlots asks for slots before the first picture, when the file tells its size.
func (s *Source) firstSlots() error {
	if s.slots == nil {
		return nil
	}
	l, ok := s.dec.Layout()
	if !ok {
		return nil
	}
	return s.slots.lend(l, s.slotsNeeded())
}

// Next returns the next frame in presentation order, which the caller owns. io.EOF ends the stream;
// an *Error says that the file had no decodable picture. When ctx ends, Next returns its error; the
// source may be used on.
func (s *Source) Next(ctx context.Context) (*frame.Frame, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	begun := time.Now()
	f, err := s.next(ctx)
	s.count.busy.Add(int64(time.Since(begun)))
	return f, err
}

func (s *Source) next(ctx context.Context) (*frame.Frame, error) {
	for {
		switch s.state {
		case reading:
			if err := s.feed(ctx); err != nil {
				return nil, err
			}
		case ended:
			if s.index == 0 {
				return nil, s.nothingDecoded()
			}
			return nil, io.EOF
		default:
			f, err := s.receive()
			if f != nil || err != nil {
				return f, err
			}
		}
	}
}

func (s *Source) nothingDecoded() error {
	err := ErrNothingDecoded
	for _, why := range []*string{s.count.readError.Load(), s.count.damage.Load()} {
		if why != nil {
			err = fmt.Errorf("%w (%s)", err, *why)
		}
	}
	return &Error{Path: s.p.Path, What: "cannot be decoded", Err: err,
		Hint: "the file announces video but holds none that can be used"}
}

// feed reads one packet and hands it to the decoder, or to whom it belongs.
func (s *Source) feed(ctx context.Context) error {
	switch err := s.in.Read(ctx, s.pkt); {
	case err == nil:
		defer s.pkt.Unref()
	case errors.Is(err, io.EOF):
		return s.drain()
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, av.ErrAgain):
		return pause(ctx)
	default:
		text := err.Error()
		s.count.readError.Store(&text)
		return s.drain()
	}
	i := s.pkt.Stream()
	if i >= len(s.tracks) || s.tracks[i] == nil {
		return nil // a stream that appeared later, or one that the demuxer could not hold back
	}
	if i == s.video {
		s.send()
		return nil
	}
	return s.pass(i)
}

// pause waits a little for an input that has nothing to give yet.
func pause(ctx context.Context) error {
	t := time.NewTimer(10 * time.Millisecond)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// send gives the packet just read to the decoder.
func (s *Source) send() {
	s.count.packets.Add(1)
	if s.pkt.Skipped() {
		s.count.skipped.Add(1)
	}
	t := s.tracks[s.video]
	pts, _ := t.arrive(s.pkt.PTS(), s.pkt.DTS())
	s.packets = s.pkt.Duration()
	s.pkt.SetTimes(pts, t.turn())
	if s.pkt.Bytes() == 0 {
		t.spend(s.packetMicros())
		return
	}
	if err := s.dec.Send(s.pkt); err != nil {
		s.count.note(err)
		t.spend(s.packetMicros())
		return
	}
	s.state = fresh
}

// packetMicros is the duration of the packet being decoded.
func (s *Source) packetMicros() int64 {
	if s.packets > 0 {
		return s.tracks[s.video].toMicros(s.packets)
	}
	return s.dec.PacketDuration()
}

// pass hands a packet of another stream on.
func (s *Source) pass(i int) error {
	t := s.tracks[i]
	pts, dts := t.arrive(s.pkt.PTS(), s.pkt.DTS())
	t.turn()
	t.spend(t.toMicros(s.pkt.Duration()))
	s.pkt.SetTimes(pts, dts)
	c := s.pkt.Clone()
	if c == nil {
		return fmt.Errorf("%s: pass packet of stream %d on: out of memory", s.p.Path, i)
	}
	return s.p.Packets(&frame.Packet{Stream: i, Native: c})
}

func (s *Source) drain() error {
	s.state = draining
	s.packets = 0
	if err := s.dec.Drain(); err != nil {
		s.state = ended
	}
	return nil
}

// receive takes a frame from the decoder; nil, nil when it has none now.
func (s *Source) receive() (*frame.Frame, error) {
	t := s.tracks[s.video]
	switch s.state {
	case draining:
		t.drainTurn()
	case again:
		t.turn()
	}
	d := s.spare()
	st, news, damage := s.dec.Receive(d.pic, &d.Frame)
	var micros int64
	if s.state != again || st == av.Got {
		micros = s.packetMicros()
		t.spend(micros)
	}
	if st != av.Got {
		d.blank()
		s.keep(d)
		s.afterNone(st, damage)
		return nil, s.attend(news)
	}
	s.deliver(d, micros)
	if err := s.attend(news); err != nil {
		d.Release()
		return nil, err
	}
	return &d.Frame, nil
}

// afterNone moves on when the decoder gave no frame. Damage never ends the run.
func (s *Source) afterNone(st av.Status, damage error) {
	if st == av.Broken {
		s.count.note(damage)
	}
	switch {
	case st == av.Ended:
		s.state = ended
	case s.state != draining:
		s.state = reading
	}
}

// deliver completes a frame that came out of the decoder.
func (s *Source) deliver(d *delivery, micros int64) {
	f := &d.Frame
	f.Index = s.index
	f.PTS = s.tracks[s.video].deliver(f.PTS, f.Duration, micros)
	if f.PTS != frame.NoPTS {
		f.PTS += s.base
		s.end = max(s.end, f.PTS+max(f.Duration, 1))
	}
	s.index++
	if s.state == fresh {
		s.state = again
	}
	s.count.decoded.Add(1)
	s.count.outstanding.Add(1)
	if f.Corrupt {
		s.count.concealed.Add(1)
	}
	if f.Block != nil {
		s.count.inSlots.Add(1)
	} else {
		s.count.elsewhere.Add(1)
	}
	f.Arm(d)
}

// attend sees to the pool: retired slots go home, larger pictures get larger slots.
func (s *Source) attend(news av.PoolNews) error {
	if s.slots == nil {
		return nil
	}
	if news.Returned {
		s.slots.collect()
	}
	if news.Demand <= s.slots.asked {
		return nil
	}
	if l, ok := s.slots.pool.Demand(); ok {
		return s.slots.lend(l, s.slotsNeeded())
	}
	return nil
}

// Close releases the decoder and the file. Frames that are still out stay valid until they are
// released; their slots go home then. Idempotent.
func (s *Source) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	for _, d := range s.spares {
		d.pic.Free()
	}
	s.spares = nil
	s.mu.Unlock()
	if s.dec != nil {
		s.dec.Close()
	}
	s.in.Close()
	s.pkt.Free()
	s.state = ended
	s.closeSlots()
	return nil
}

func (s *Source) closeSlots() {
	if s.slots == nil {
		return
	}
	s.slots.shut()
	s.mu.Lock()
	s.decoderOff = true
	s.mu.Unlock()
	s.closePoolIfLast()
}
