package encode

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// images writes each frame as an image of its own. An image appears under its name when it is
// complete; a single one when Finish is called.
type images struct {
	s       *Sink
	p       Params
	pat     pattern
	formats formats
	enc     *av.Encoder // nil before the first frame
	pkt     *av.Packet
	like    frame.Info
	clock   clock
	frames  int64
	number  int64   // of the next image
	single  *target // the one image, complete but without its name
	mark    *target // of a sequence; see Note [Unfinished sequences]
	part    bool    // it ends too soon
	bytes   int64
}

func newImages(s *Sink, p Params) (writer, error) {
	pat, err := checkImages(&p)
	if err != nil {
		return nil, err
	}
	i := &images{s: s, p: p, pat: pat, pkt: av.NewPacket(), number: int64(p.StartNumber)}
	if i.formats, err = encoderFormats(&p); err == nil {
		err = i.checkNames()
	}
	if err != nil {
		i.close()
		return nil, err
	}
	return i, nil
}

// checkImages completes p.VCodec, and refuses names and settings that cannot be.
func checkImages(p *Params) (pattern, error) {
	wrong := func(what, hint string, err error) error {
		return &Error{Output: p.Output, What: what, Err: err, Settings: true, Hint: hint}
	}
	pat, err := parsePattern(p.Output)
	if err != nil {
		return pat, wrong("is no name for images", "one %05d in the name stands for the number", err)
	}
	if p.VCodec == "" {
		p.VCodec = imageCodecs[lowerExt(p.Output)]
	}
	if av.EncoderKind(p.VCodec) != "video" {
		return pat, wrong("cannot be encoded", "`ffmpeg -encoders` lists what FFmpeg can encode here", fmt.Errorf("%w (%s)", av.ErrNoEncoder, p.VCodec))
	}
	return pat, checkOptions(p, wrong)
}

// checkNames refuses what would be replaced, removes what dead processes have left, and makes the mark of a
// sequence.
func (i *images) checkNames() error {
	if i.pat.scratch().held() {
		return &Error{Output: i.p.Output, What: "is not written", Err: ErrBusy, Hint: "wait for the other run, or choose another name"}
	}
	if err := i.checkTaken(); err != nil {
		return err
	}
	if _, err := checkTarget(i.pat.name(i.number), i.p.Input, i.p.Overwrite); err != nil {
		return err
	}
	i.pat.scratch().sweep()
	if !i.pat.numbered {
		_, err := os.Stat(filepath.Dir(i.pat.name(0)))
		return err
	}
	var err error
	i.mark, err = i.pat.begin(i.p.Output)
	return err
}

// checkTaken refuses to replace images unless that was said, or an unfinished sequence is to be made anew.
func (i *images) checkTaken() error {
	if !i.pat.numbered || i.p.Overwrite {
		return nil
	}
	taken := i.pat.count(i.number)
	switch unfinished := i.pat.unfinished(); {
	case taken == 0:
		return nil
	case unfinished && i.p.Redo:
		i.p.Overwrite = true
		return nil
	case unfinished:
		return &Error{Output: i.p.Output, What: "is not overwritten", Err: fmt.Errorf("%w: %d images of these names, of a run that did not finish", ErrExists, taken),
			Hint: "say -y to replace them, or choose another name or --start-number"}
	default:
		return &Error{Output: i.p.Output, What: "is not overwritten", Err: fmt.Errorf("%w: %d images of these names", ErrExists, taken),
			Hint: "say -y to replace them, or choose another name or --start-number"}
	}
}

func (i *images) format(f frame.PixelFormat) frame.PixelFormat { return i.formats.choose(f) }

func (i *images) maxHeld() int {
	if i.enc != nil {
		return i.enc.Holds()
	}
	return av.EncoderMayHold(i.p.VCodec, i.p.Threads, 0)
}

func (i *images) followsSize() bool            { return false }
func (i *images) packet(p *frame.Packet) error { release(p); return nil }
func (i *images) written() int64               { return i.bytes }
func (i *images) hurry()                       {}

// partial leaves the mark: each image is whole, but the sequence is not.
func (i *images) partial() string { i.part = true; return "" }

func (i *images) write(f *frame.Frame) error {
	if i.frames++; i.frames > 1 && !i.pat.numbered {
		f.Release()
		return &Error{Output: i.p.Output, What: "holds one picture", Err: ErrOneImage, Settings: true,
			Hint: "--frames 1 takes the first one, a number such as %05d in the name makes a sequence"}
	}
	if i.enc == nil {
		if err := i.begin(f); err != nil {
			f.Release()
			return err
		}
	}
	if err := sameShape(i.like, f); err != nil {
		f.Release()
		return err
	}
	index := f.Index
	pts, duration, _ := i.clock.times(f) // images have no time stamps
	if err := i.enc.Send(f, pts, duration); err != nil {
		return fmt.Errorf("frame %d: %w", index, err)
	}
	return i.receive()
}

func (i *images) begin(f *frame.Frame) (err error) {
	i.like = f.Info
	i.clock = newClock(f, i.p.VCodec)
	i.enc, err = av.NewEncoder(f, av.EncoderOptions{Codec: i.p.VCodec, TimeBase: i.clock.tb, Rate: f.FrameRate, Threads: i.p.Threads,
		Options: i.p.own(), Quantiser: quantiserFor(&i.p)})
	if err != nil {
		return &Error{Output: i.p.Output, What: "cannot be encoded", Err: err, Settings: true,
			Hint: fmt.Sprintf("check the encoder's options; `ffmpeg -h encoder=%s` lists them", i.p.VCodec)}
	}
	return nil
}

// receive writes the images that are ready.
func (i *images) receive() error {
	for {
		st, err := i.enc.Receive(i.pkt)
		if st != av.Got {
			return err
		}
		err = i.save(i.pkt.Payload())
		i.pkt.Unref()
		if err != nil {
			return err
		}
	}
}

// save writes one image under a temporary name and lets it appear.
func (i *images) save(image []byte) error {
	name := i.pat.name(i.number)
	t, err := checkTarget(name, i.p.Input, i.p.Overwrite)
	if err != nil {
		return err
	}
	t.careless = i.pat.numbered
	if err := put(t, image); err != nil {
		t.abandon()
		return writeError(name, err)
	}
	i.number++
	i.bytes += int64(len(image))
	if !i.pat.numbered {
		i.single = t
		return nil
	}
	if err := t.commit(); err != nil {
		return writeError(name, err)
	}
	i.s.images.Add(1)
	return nil
}

// put writes the bytes to a target's temporary file, or to a device or pipe.
func put(t *target, b []byte) error {
	if t.to == "" {
		f, err := os.OpenFile(t.path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.Write(b)
		return errors.Join(err, f.Close())
	}
	if err := t.create(); err != nil {
		return err
	}
	_, err := t.lock.Write(b)
	return err
}

func (i *images) finish() error {
	if i.enc == nil {
		return ErrNoFrames
	}
	if err := i.enc.Drain(); err != nil {
		return err
	}
	if err := i.receive(); err != nil {
		return err
	}
	if i.single == nil {
		i.mark.end(i.part)
		return nil
	}
	if err := i.single.commit(); err != nil {
		return err
	}
	i.s.images.Add(1)
	return nil
}

func (i *images) close() {
	if i.enc != nil {
		i.enc.Close()
	}
	if i.single != nil {
		i.single.abandon()
	}
	i.mark.end(i.s.images.Load() > 0)
	i.pkt.Free()
}

func lowerExt(name string) string { return strings.ToLower(filepath.Ext(name)) }
