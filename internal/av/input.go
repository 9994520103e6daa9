package av

// #include "input.h"
// #include <libavutil/mem.h>
import "C"

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/asticode/go-astiav"

	"github.com/pinring/pinring/frame"
)

// InputOptions say what to open, and how carefully.
type InputOptions struct {
	Path string // a file's name; "-" is standard input
	// References allows files that name other files: playlists, concat lists, image sequences,
	// QuickTime tracks whose data lies elsewhere.
	References bool
	// MaxPixels is the largest picture that a decoder may be made to allocate, in pixels, its padding
	// left out.
	MaxPixels  int64
	MaxStreams int           // the most streams a file may have; 0: FFmpeg's limit
	ProbeSize  int64         // bytes that are looked at to find out what is in the file; 0: FFmpeg's default
	Analyze    time.Duration // of the file that is looked at for the same; 0: FFmpeg's default
	// MaxBytes is how much may be read without a picture coming of it (Input.Fruitful), MaxWait how
	// long reading may stand still, where it can (a pipe). 0: no limit.
	MaxBytes int64
	MaxWait  time.Duration
}

// Why an input was given up.
var (
	// ErrReference: it makes FFmpeg open other files.
	ErrReference = errors.New("the file is a list of other files")
	// ErrTooManyStreams: it has more than MaxStreams.
	ErrTooManyStreams = errors.New("the file has more streams than are allowed")
	// ErrNoPicture: MaxBytes were read and no picture came of them.
	ErrNoPicture = errors.New("much was read without a picture coming of it")
	// ErrEndsEarly: it is cut off.
	ErrEndsEarly = errors.New("the file ends too soon")
	// ErrNoData: nothing came for MaxWait.
	ErrNoData = errors.New("nothing more came")
)

// Input is an opened file. One goroutine at a time.
type Input struct {
	fc      *astiav.FormatContext
	intr    *interrupt
	piped   *piped // nil when a file is read
	why     [256]C.char
	streams []*astiav.Stream
	// tooLarge says that the container speaks of pictures that are too large, in a stream that has no
	// size therefore.
	tooLarge bool
	Streams  []Stream

	Format   string        // the demuxer's names, "mov,mp4,m4a,3gp,3g2,mj2"
	Duration time.Duration // of the container, 0 when unknown
	BitRate  int64         // bits per second of the whole file, 0 when unknown
	// Start is the earliest time stamp of the file in microseconds, frame.NoPTS when unknown.
	Start int64
	// Jumps says that time stamps of this container may jump in the middle (MPEG-TS and the like).
	Jumps bool
	// NoTimes says that the container has no time stamps: those of a raw stream are counted.
	NoTimes bool
	// Growing says that streams may appear later than the beginning of the file.
	Growing  bool
	Metadata map[string]string
}

// OpenInput opens a file and reads enough of it to describe its streams.
func OpenInput(ctx context.Context, o InputOptions) (*Input, error) {
	in := &Input{fc: astiav.AllocFormatContext(), intr: newInterrupt()}
	in.intr.follow(ctx)
	in.intr.limit(o.MaxBytes, o.MaxWait)
	C.pr_interrupt_use(in.intr.c, cFormat(in.fc))
	if err := explained(func() error { return in.open(ctx, o) }); err != nil {
		err = in.refused(err)
		in.piped.close()
		in.intr.free()
		return nil, err
	}
	if err := explained(func() error { return in.look(o.MaxPixels) }); err != nil {
		err = in.refused(err)
		in.Close()
		return nil, err
	}
	if err := in.GivenUp(); err != nil {
		in.Close()
		return nil, err
	}
	in.describe()
	return in, nil
}

// look finds out what is in the file.
func (in *Input) look(maxPixels int64) error {
	var tooLarge C.int
	r := C.pr_find_stream_info(cFormat(in.fc), C.int64_t(withPadding(maxPixels)), &tooLarge)
	in.tooLarge = tooLarge != 0
	return fail("read stream information", int(r))
}

// IsStdin reports whether a path means standard input.
func IsStdin(path string) bool { return path == "-" || path == "pipe:" || path == "pipe:0" }

// url makes sure that a path is only ever taken as the name of a local file, and opens pipes.
func (in *Input) url(ctx context.Context, o InputOptions) (url string, err error) {
	switch {
	case IsStdin(o.Path):
		in.piped = openStdin()
	case IsFIFO(o.Path):
		in.piped, err = openFIFO(ctx, o.Path, o.MaxWait)
	case strings.Contains(o.Path, "/"):
		return "file:" + o.Path, nil
	default:
		return "file:./" + o.Path, nil // FFmpeg finds what the file refers to only beside a name with a folder
	}
	if err != nil {
		return "", err
	}
	return in.piped.url(), nil
}

func (in *Input) open(ctx context.Context, o InputOptions) error {
	url, err := in.url(ctx, o)
	if err != nil {
		return err
	}
	d := astiav.NewDictionary()
	defer d.Free()
	for k, v := range demuxerOptions(o) {
		if err := d.Set(k, v, 0); err != nil {
			return failErr("open input", err)
		}
	}
	return failErr("open input", in.fc.OpenInput(url, nil, d))
}

// demuxerOptions are those of libavformat. Options that the demuxer does not have are ignored.
func demuxerOptions(o InputOptions) map[string]string {
	opts := map[string]string{"protocol_whitelist": "file,pipe"}
	if o.References {
		opts["protocol_whitelist"] = "file,pipe,crypto,data"
		opts["enable_drefs"] = "1"
	} else {
		names := C.pr_safe_demuxers()
		defer C.av_free(unsafe.Pointer(names))
		opts["format_whitelist"] = C.GoString(names)
		opts["pattern_type"] = "none"
	}
	for k, v := range map[string]int64{"max_streams": int64(o.MaxStreams), "probesize": o.ProbeSize, "analyzeduration": o.Analyze.Microseconds()} {
		if v > 0 {
			opts[k] = strconv.FormatInt(v, 10)
		}
	}
	return opts
}

// refused recognises refusals that have no error code of their own.
func (in *Input) refused(err error) error {
	if e := in.GivenUp(); e != nil {
		return e
	}
	var e *Error
	switch {
	case !errors.As(err, &e):
	case strings.Contains(e.Detail, "not on whitelist"):
		return ErrReference
	case strings.Contains(e.Detail, "max_streams"):
		return ErrTooManyStreams
	}
	return err
}

// GivenUp is ErrNoPicture or ErrNoData once one of these limits ended the reading, else nil. Reading
// fails from then on, in whatever way the demuxer sees it.
func (in *Input) GivenUp() error { return in.intr.gaveUp() }

// Fruitful says that a picture came of what was read: MaxBytes counts from here.
func (in *Input) Fruitful() { in.intr.fruitful() }

func (in *Input) describe() {
	in.streams = in.fc.Streams()
	for _, s := range in.streams {
		in.Streams = append(in.Streams, describeStream(in.fc, s))
	}
	f := in.fc.InputFormat()
	in.Format = f.Name()
	in.Jumps = f.Flags().Has(astiav.IOFormatFlagTsDiscont)
	in.NoTimes = f.Flags().Has(astiav.IOFormatFlagNotimestamps)
	in.Growing = in.Jumps || cFormat(in.fc).ctx_flags&C.AVFMTCTX_NOHEADER != 0
	in.BitRate = in.fc.BitRate()
	in.Start = in.fc.StartTime()
	if d := in.fc.Duration(); d != frame.NoPTS && d > 0 {
		in.Duration = time.Duration(d) * time.Microsecond
	}
	in.Metadata = metadata(in.fc.Metadata())
}

// Keep makes the demuxer deliver only the packets of the streams for which want is true.
func (in *Input) Keep(want func(index int) bool) {
	for i, s := range in.streams {
		drop := C.int(1)
		if want(i) {
			drop = 0
		}
		C.pr_discard(cStream(s), drop)
	}
}

// Read fills p with the next packet. io.EOF ends the file, ErrEndsEarly one that is cut off;
// ErrInterrupted says that ctx has ended.
func (in *Input) Read(ctx context.Context, p *Packet) error {
	in.intr.follow(ctx)
	r := C.pr_read(cFormat(in.fc), cPacket(p.p), &in.why[0], C.size_t(len(in.why)))
	switch {
	case r >= 0:
		return nil
	case r == C.int(astiav.ErrEof):
		return in.atTheEnd()
	case r == C.int(astiav.ErrEagain):
		return ErrAgain
	}
	return fail("read packet", int(r))
}

// atTheEnd tells the end of a file from one that came too soon, of which the demuxer says so in words
// only.
func (in *Input) atTheEnd() error {
	if why := C.GoString(&in.why[0]); why != "" {
		return fmt.Errorf("%w (%s)", ErrEndsEarly, why)
	}
	return io.EOF
}

// Rewind goes back to the beginning; inputs that come through a pipe cannot.
func (in *Input) Rewind() error {
	return fail("go back to the beginning", int(C.pr_rewind(cFormat(in.fc))))
}

// Seekable reports whether the input can be read from any place: no pipe can.
func (in *Input) Seekable() bool { return C.pr_seekable(cFormat(in.fc)) != 0 }

// SeekBefore goes to about the last key frame before a time on the file's own clock, in microseconds, as
// FFmpeg's program does for -ss. Where it really ended up the next packets tell.
func (in *Input) SeekBefore(us int64) error {
	return fail("seek", int(C.pr_seek(cFormat(in.fc), C.int64_t(us))))
}

// SeeksEachStream reports whether SeekBefore goes, in each stream, to what is shown there at that time: the
// index has them all.
func (in *Input) SeeksEachStream() bool { return strings.HasPrefix(in.Format, "mov,") }

// ErrAgain says that there is nothing now, but may be later.
var ErrAgain = errors.New("nothing to read yet")

// Close releases the file. Packets that were read stay valid. Idempotent.
func (in *Input) Close() {
	if in.fc == nil {
		return
	}
	in.fc.CloseInput()
	in.fc = nil
	in.piped.close()
	in.intr.free()
}

// String names the input for messages.
func (in *Input) String() string { return fmt.Sprintf("%s, %d streams", in.Format, len(in.Streams)) }
