package decode

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// Source decodes one video stream. Next and Close belong to one goroutine at a time; frames may be
// released, and Stats and Input read, from any, also after Close.
type Source struct {
	p          Params
	in         *av.Input
	dec        *av.Decoder
	slots      *slots // nil when the decoder uses memory of its own
	video      int
	clock      *clock
	tracks     []*track // by stream, nil when not read
	about      Input
	count      counters
	pkt        *av.Packet
	state      state
	span       span
	sought     bool // reading began in the middle of the file
	harm       harm
	early      map[int]*early // of subtitles; see Note [Subtitles at the edges of a part]
	found      []*av.Packet   // subtitles before the start, from looking back
	seen       map[sighting]bool
	foundBytes int
	out        []*frame.Frame // complete, to be handed out before anything else is done
	index      int64
	base       int64 // added to time stamps: where the rounds before ended
	end        int64 // where the latest frame ends
	packets    int64 // duration of the packet being decoded, in its stream's time base

	mu         sync.Mutex
	spares     []*delivery
	views      []*view
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
	trailing              // no more frames are wanted, but other streams are not at the end of the span
	ended
)

// Next returns the next frame in presentation order, which the caller owns. io.EOF ends the stream;
// an *Error says that the file had no decodable picture, or that Params.OnError wants no damage. When
// ctx ends, Next returns its error; the source may be used on.
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
		if f := s.takeOut(); f != nil {
			return f, nil
		}
		var err error
		switch s.state {
		case reading, trailing:
			err = s.feed(ctx)
		case ended:
			err = s.theEnd()
		default:
			err = s.receive()
		}
		if err != nil {
			return nil, err
		}
	}
}

// takeOut is the next frame that is complete, nil when there is none.
func (s *Source) takeOut() *frame.Frame {
	if len(s.out) == 0 {
		return nil
	}
	f := s.out[0]
	s.out = append(s.out[:0], s.out[1:]...)
	return f
}

// theEnd is what Next says when there is nothing more.
func (s *Source) theEnd() error {
	if s.index > 0 || s.harm.aborted {
		return io.EOF
	}
	if s.count.trimmed.Load() > 0 {
		return s.nothingInSpan()
	}
	return s.nothingDecoded()
}

func (s *Source) nothingDecoded() error {
	err := ErrNothingDecoded
	for _, why := range []*string{s.count.readError.Load(), s.count.damage.Load()} {
		if why != nil {
			err = fmt.Errorf("%w (%s)", err, *why)
		}
	}
	return &Error{Path: s.p.Path, What: "cannot be decoded", Err: err, Hint: s.nothingHint()}
}

func (s *Source) nothingHint() string {
	switch {
	case s.count.tooLarge.Load():
		return largerHint
	case s.in.GivenUp() != nil:
		return "--give-up-bytes and --give-up-after allow more, where the video begins late"
	case s.p.OnError == Skip && s.count.dropped.Load() > 0:
		return "every picture is damaged: --on-error conceal shows them as FFmpeg repairs them"
	}
	if s.count.packets.Load() == 0 && !s.in.Seekable() {
		if strings.HasPrefix(s.in.Format, "mov,") {
			return indexHint
		}
		return pipeHint
	}
	return "the file announces video but holds none that can be used"
}

// Close releases the decoder and the file. Frames that are still out stay valid until they are
// released; their slots go home then. Idempotent.
func (s *Source) Close() error {
	s.forget()
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
	if s.in != nil {
		s.in.Close()
	}
	s.pkt.Free()
	s.state = ended
	s.closeSlots()
	return nil
}

// forget lets go of the frames that the source holds itself.
func (s *Source) forget() {
	for f := s.takeOut(); f != nil; f = s.takeOut() {
		f.Release()
	}
	s.forgetEarly()
	s.setGood(nil)
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
