package encode

import (
	"fmt"
	"sync/atomic"

	"github.com/pinring/pinring/internal/av"
)

// track is a stream of the input that goes into the output beside the video.
type track struct {
	in    *StreamParams
	sound *recoder // encodes it anew; nil otherwise
	text  *av.Text // converts it; nil otherwise
	n     int      // the muxer's number, once the header is near

	// Of text that is converted: packets that could not be, and those that came of it.
	damaged, shown atomic.Int64
}

// planTracks decides for each stream that is to be passed through: copied where the container can
// hold it, converted where it cannot and that is possible, else left out. What is not copied is said.
func (c *coded) planTracks() error {
	c.tracks = map[int]*track{}
	for _, st := range c.p.Streams {
		t, err := c.plan(st)
		if err != nil {
			return err
		}
		if t != nil {
			t.in = st
			c.tracks[st.Index()] = t
			c.order = append(c.order, t)
		}
	}
	return nil
}

func (c *coded) plan(st *StreamParams) (*track, error) {
	switch st.Kind() {
	case "audio":
		return c.planSound(st)
	case "subtitle":
		return c.planText(st)
	}
	if st.Kind() != "video" && !c.holdsAttachments() || !c.holds(st) {
		c.leftOut(st, "")
		return nil, nil
	}
	return &track{}, nil
}

// holds asks for the container's word; attachments are no codecs that it would list.
func (c *coded) holds(st *StreamParams) bool {
	return st.Kind() == "attachment" || c.m.Holds(st.Codec())
}

func (c *coded) holdsAttachments() bool { return c.m.Format() == "matroska" }

func (c *coded) planSound(st *StreamParams) (*track, error) {
	want := c.p.ACodec
	fits := c.m.Holds(st.Codec())
	switch {
	case want == "copy" && !fits:
		return nil, &Error{Output: c.p.Output, What: fmt.Sprintf("cannot take audio stream %d: the %s container cannot hold %s", st.Index(), c.m.Format(), st.Codec()),
			Settings: true, Hint: "leave --acodec out to have it encoded anew, or choose .mkv, which holds nearly everything; --no-audio leaves it out"}
	case (want == "" || want == "copy") && fits:
		return &track{}, nil
	case want == "":
		if want = soundEncoder(c.m); want == "" {
			c.leftOut(st, "")
			return nil, nil
		}
	}
	if codec := av.EncoderCodec(want); codec != "" && !c.m.Holds(codec) {
		return nil, &Error{Output: c.p.Output, What: fmt.Sprintf("cannot hold %s: the container is %s", codec, c.m.Format()), Settings: true,
			Hint: fmt.Sprintf("--acodec %s fits this container", soundEncoder(c.m))}
	}
	s, err := av.NewSound(st, want, 0, c.m.GlobalHeader())
	if err != nil && c.p.ACodec == "" {
		c.leftOut(st, err.Error())
		return nil, nil
	}
	if err != nil {
		return nil, c.soundError(st, want, err)
	}
	s.Cut(c.p.Start > 0, c.p.Length)
	c.note(fmt.Sprintf("audio stream %d (%s) is encoded as %s", st.Index(), st.Codec(), want) + because(!fits, c.m.Format()))
	t := &track{}
	t.sound = newRecoder(s, func(p *av.Packet) error { return c.pass(t, p) })
	return t, nil
}

func (c *coded) soundError(st *StreamParams, encoder string, err error) error {
	e := &Error{Output: c.p.Output, What: fmt.Sprintf("audio stream %d cannot be encoded", st.Index()), Err: err, Settings: true,
		Hint: "`ffmpeg -encoders` lists what FFmpeg can encode here"}
	if near := nearestName(encoder, av.Encoders("audio")); near != "" && av.EncoderKind(encoder) != "audio" {
		e.Hint = fmt.Sprintf("did you mean %s?", near)
	}
	return e
}

// soundEncoder is the usual choice for a container.
func soundEncoder(m *av.Muxer) string {
	for _, e := range []string{"aac", "libopus", "libvorbis"} {
		if m.Format() == "webm" && e == "aac" {
			continue
		}
		if av.EncoderKind(e) == "audio" && m.Holds(av.EncoderCodec(e)) {
			return e
		}
	}
	return m.DefaultEncoder("audio")
}

func (c *coded) planText(st *StreamParams) (*track, error) {
	if c.m.Holds(st.Codec()) {
		return &track{}, nil
	}
	if !av.IsText(st.Codec()) {
		c.leftOut(st, "it is no text that could be converted")
		return nil, nil
	}
	for _, e := range []string{"mov_text", "subrip", "webvtt", "ass"} {
		if !c.m.Holds(av.EncoderCodec(e)) {
			continue
		}
		t, err := av.NewText(st, e)
		if err != nil {
			c.leftOut(st, err.Error())
			return nil, nil
		}
		c.note(fmt.Sprintf("subtitle stream %d (%s) is converted to %s", st.Index(), st.Codec(), e) + because(true, c.m.Format()))
		return &track{text: t}, nil
	}
	c.leftOut(st, "")
	return nil, nil
}

func because(yes bool, container string) string {
	if !yes {
		return ""
	}
	return fmt.Sprintf(": the %s container cannot hold it as it is", container)
}

func (c *coded) leftOut(st *StreamParams, why string) {
	s := fmt.Sprintf("%s stream %d (%s) is left out: the %s container cannot hold it", st.Kind(), st.Index(), st.Codec(), c.m.Format())
	if why != "" {
		s += "; " + why
	}
	c.note(s)
}

func (c *coded) note(s string) {
	if c.p.Note != nil {
		c.p.Note(s)
	}
}

// add makes the track's stream in the output.
func (t *track) add(m *av.Muxer) (err error) {
	switch {
	case t.sound != nil:
		t.n, err = m.AddSound(t.sound.s, t.in)
	case t.text != nil:
		t.n, err = m.AddText(t.text, t.in)
	default:
		t.n, err = m.AddCopy(t.in)
	}
	return err
}

// take hands a packet of the input on. It owns the packet, on error too.
func (c *coded) take(t *track, p *av.Packet) error {
	switch {
	case t.sound != nil:
		return t.sound.put(p)
	case t.text != nil:
		defer p.Free()
		out, err := t.text.Convert(p)
		if err != nil { // a broken subtitle is no reason to lose the film
			t.damaged.Add(1)
		}
		if out == nil {
			return nil
		}
		t.shown.Add(1)
		return c.pass(t, out)
	}
	return c.pass(t, p)
}

// pass writes a packet that is ready, or keeps it until the header is written. It owns the packet.
func (c *coded) pass(t *track, p *av.Packet) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.over:
		p.Free()
		return ErrClosed
	case !c.ready:
		return c.queue.put(t, p)
	}
	return c.mux(t, p)
}

// mux writes a packet and frees it. The lock is held.
func (c *coded) mux(t *track, p *av.Packet) error {
	defer p.Free()
	if err := c.m.WritePacket(t.n, p); err != nil {
		return fmt.Errorf("%s stream %d: %w", t.in.Kind(), t.in.Index(), err)
	}
	c.s.packets.Add(1)
	return nil
}

// finishTracks waits for the sound that is still being encoded.
func (c *coded) finishTracks() error {
	for _, t := range c.order {
		if t.sound == nil {
			continue
		}
		if err := t.sound.finish(); err != nil {
			return fmt.Errorf("audio stream %d: %w", t.in.Index(), err)
		}
	}
	return nil
}

func (c *coded) closeTracks() {
	for _, t := range c.order {
		if t.sound != nil {
			t.sound.close()
		}
		if t.text != nil {
			t.text.Close()
		}
	}
}
