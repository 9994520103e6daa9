package decode

import (
	"context"
	"errors"
	"fmt"

	"github.com/pinring/pinring/internal/av"
)

// Open opens a file and gets a decoder ready. ctx may end the opening; it is not kept. The error is
// an *Error unless ctx ended: then it is its cause.
func Open(ctx context.Context, p Params) (*Source, error) {
	s, err := Look(ctx, p, p.Lender != nil)
	if err != nil {
		return nil, err
	}
	if err := s.Start(p.InFlight, p.Lender); err != nil {
		return nil, err
	}
	return s, nil
}

// Look is the part of Open that comes before the first memory: it opens the file, chooses the stream, goes to
// where reading begins and opens a decoder. [Source.Start] does the rest; until then only it and Close may be
// called. Instead of Params.InFlight and Params.Lender it takes whether there will be a lender.
func Look(ctx context.Context, p Params, lent bool) (*Source, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.withDefaults()
	s := &Source{p: p, pkt: av.NewPacket(), span: newSpan(p.Start, p.Duration)}
	s.harm.restart()
	err := s.openInput(ctx)
	if err == nil {
		err = s.setup(ctx, lent)
	}
	if err != nil {
		s.Close()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, err
	}
	return s, nil
}

// Start asks for the first slots. lender is nil where Look was told that there is none. After an error the
// source is closed.
func (s *Source) Start(inFlight int, lender Lender) error {
	s.p.InFlight, s.p.Lender = inFlight, lender
	if s.slots != nil {
		s.slots.lender = lender
	}
	s.about = s.describe()
	if err := s.firstSlots(); err != nil {
		s.Close()
		return err
	}
	return nil
}

// openInput opens the file and finds the stream.
func (s *Source) openInput(ctx context.Context) (err error) {
	p := &s.p
	s.in, err = av.OpenInput(ctx, av.InputOptions{Path: p.Path, References: p.References, MaxPixels: p.MaxPixels,
		MaxStreams: p.MaxStreams, ProbeSize: p.ProbeSize, Analyze: p.Analyze, MaxBytes: p.GiveUpBytes, MaxWait: p.GiveUpAfter})
	if err != nil {
		return openError(p, err)
	}
	s.video, err = choose(p.Path, s.in.Streams, p.Stream)
	var e *Error
	if errors.As(err, &e) && s.in.Growing && errors.Is(err, ErrNoVideo) {
		e.Hint += "; if more begin later in it, --probe-size and --analyze-duration look further"
	}
	return err
}

func (s *Source) setup(ctx context.Context, lent bool) error {
	if err := s.goToStart(ctx); err != nil {
		return err
	}
	if err := s.openDecoder(lent); err != nil {
		return &Error{Path: s.p.Path, What: fmt.Sprintf("stream %d (%s) cannot be decoded", s.video,
			s.in.Streams[s.video].Codec), Err: err, Hint: decoderAdvice(err)}
	}
	s.in.Keep(s.wants)
	s.startClocks()
	return nil
}

// startClocks begins the timeline of every stream that is read.
func (s *Source) startClocks() {
	s.clock = newClock(s.in, s.wants, s.span.start)
	if !s.sought {
		s.clock.beginning = -s.span.start
	}
	s.tracks = s.tracks[:0]
	for i := range s.in.Streams {
		var t *track
		if s.wants(i) {
			t = newTrack(s.clock, &s.in.Streams[i], i == s.video)
		}
		s.tracks = append(s.tracks, t)
	}
}

// Rewind goes back to the beginning of what is wanted after io.EOF. Index and time stamps of the
// frames go on where they had come to, as if the file were twice as long. It fails for inputs that
// cannot be read twice.
func (s *Source) Rewind() error {
	err := s.seekStart(context.Background())
	if err == nil && !s.sought {
		err = s.in.Rewind()
	}
	if err != nil {
		return &Error{Path: s.p.Path, What: "cannot be read again", Err: err, Hint: "a pipe can be read only once: use a file"}
	}
	s.dec.Flush()
	s.startClocks()
	s.span.restart()
	s.harm.restart()
	s.base, s.state = s.end, reading
	return nil
}

func (s *Source) openDecoder(lent bool) (err error) {
	o := av.DecoderOptions{Threads: s.p.Threads, MaxPixels: s.p.MaxPixels, KnowDamage: s.p.OnError != Conceal}
	if lent {
		if s.slots, err = newSlots(&s.count); err != nil {
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
// downstream, the one that is being handed over, and one to show again.
func (s *Source) slotsNeeded() int {
	n := s.dec.HeldPictures() + s.p.InFlight + 1
	if s.p.OnError == Repeat {
		n++
	}
	return n
}

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

// decoderAdvice says what to do when the decoder cannot be opened.
func decoderAdvice(err error) string {
	if errors.Is(err, av.ErrTooLarge) {
		return largerHint
	}
	return "`ffmpeg -decoders` lists what FFmpeg can decode here"
}

// openError says why a file was not opened, and what to do.
func openError(p *Params, err error) error {
	e := &Error{Path: p.Path, What: "is not opened", Err: err}
	switch {
	case errors.Is(err, av.ErrReference):
		e.Err, e.Hint = ErrReferencesFiles, "name the video files themselves, or allow it with --allow-references"
	case errors.Is(err, av.ErrTooManyStreams):
		e.Err, e.Hint = fmt.Errorf("it has more than %d streams", p.MaxStreams), "--max-streams allows more"
	case errors.Is(err, av.ErrNoPicture), errors.Is(err, av.ErrNoData):
		e.Err, e.Hint = p.explainGivenUp(err), "is there video in it at all? --give-up-bytes and --give-up-after allow more"
	default:
		return cannotOpen(p.Path, err)
	}
	return e
}
