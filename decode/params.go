package decode

import (
	"errors"
	"fmt"
	"time"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// Stream describes a stream of the input. Its Params go to package encode, for copying.
type Stream = av.Stream

// Params say what to decode and where to.
type Params struct {
	Path string // a file's name; "-" is standard input
	// Stream chooses the video: "" as FFmpeg does (the largest, one marked as default before
	// others), "v:N" the N-th video stream, "N" the stream with that index.
	Stream  string
	Threads int // decoder threads, 0 for as many as suit the machine
	// InFlight is how many frames will be held downstream at once. It only sizes the request for
	// slots.
	InFlight int
	// Lender lends memory to decode into; nil for the decoder's own.
	Lender Lender
	// Packets gets the packets of the streams that PassThrough chooses, with time stamps on the
	// same clock as the frames. It owns the packet, on error too. It is called by Next, on its
	// goroutine; an error ends the run. ReleasePacket ends one. Nil: other streams are not read.
	Packets func(*frame.Packet) error
	// PassThrough chooses among the other streams; nil chooses all audio.
	PassThrough func(Stream) bool
	// Start and Duration choose a part of the file; see Note [Start and duration]. 0: all of it.
	// Packets gets the packets of that part only, and a little sound before it, marked as Lead.
	Start, Duration time.Duration
	// OnError says what becomes of damage.
	OnError Policy

	// What follows guards against hostile and broken files.

	// References allows what names other files: playlists, concat lists, image sequences, QuickTime
	// tracks whose data lies elsewhere.
	References bool
	// MaxPixels is the largest picture that is decoded, 0 for DefaultMaxPixels.
	MaxPixels int64
	// MaxStreams is the most streams that a file may have, 0 for DefaultMaxStreams.
	MaxStreams int
	// ProbeSize, in bytes, and Analyze, of the file's time, are how much is looked at to find out
	// what is in it; 0 leaves it to FFmpeg (5 MB, and 5 s or more).
	ProbeSize int64
	Analyze   time.Duration
	// GiveUpBytes is how much is read without a picture coming of it, 0 for DefaultGiveUpBytes.
	GiveUpBytes int64
	// GiveUpAfter is how long the source waits on a pipe that gives nothing, or that nobody writes
	// into yet; 0: for ever.
	GiveUpAfter time.Duration
}

// Defaults of the limits.
const (
	DefaultMaxPixels   = 1 << 28 // bounds what a header can make the decoder allocate
	DefaultMaxStreams  = 1000
	DefaultGiveUpBytes = 1 << 30
)

func (p *Params) withDefaults() {
	if p.MaxPixels <= 0 {
		p.MaxPixels = DefaultMaxPixels
	}
	if p.MaxStreams <= 0 {
		p.MaxStreams = DefaultMaxStreams
	}
	if p.GiveUpBytes <= 0 {
		p.GiveUpBytes = DefaultGiveUpBytes
	}
}

// explainGivenUp puts the limit into the error that it caused.
func (p *Params) explainGivenUp(err error) error {
	if errors.Is(err, av.ErrNoData) {
		return fmt.Errorf("nothing came for %v", p.GiveUpAfter)
	}
	return fmt.Errorf("%d bytes were read without a picture coming of them", p.GiveUpBytes)
}

// Lender lends memory to the decoder.
type Lender interface {
	// Lend asks for n slots for pictures of layout l, and calls add for each: for a first set before
	// it returns, for the rest later, from any goroutine. It may give fewer than n, none too: the
	// decoder then uses memory of its own. A slot must hold l.Size bytes, aligned to 64 bytes or
	// better. Lend is called again when the stream changes to larger pictures.
	Lend(l frame.Layout, n int, add func(*frame.Block)) error
	// Return gives a slot back that decode will never use again and that nothing refers to. It may
	// be called from any goroutine that releases a frame.
	Return(b *frame.Block)
}
