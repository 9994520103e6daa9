package av

// #include "input.h"
// #include <libavutil/mem.h>
import "C"

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unsafe"

	"github.com/asticode/go-astiav"

	"github.com/pinring/pinring/frame"
)

// InputOptions say what to open, and how carefully.
type InputOptions struct {
	Path string // a file's name; "-" is standard input
	// References allows files that name other files: playlists, concat lists, image sequences.
	References bool
	// MaxPixels is the largest picture that a decoder may be made to allocate, in pixels.
	MaxPixels int64
}

// ErrReference says that a file was refused because it makes FFmpeg open other files.
var ErrReference = errors.New("the file is a list of other files")

// maxStreams bounds what a hostile header can make the demuxer allocate.
const maxStreams = "1000"

// Input is an opened file. One goroutine at a time.
type Input struct {
	fc      *astiav.FormatContext
	intr    *interrupt
	streams []*astiav.Stream
	Streams []Stream

	Format   string        // the demuxer's names, "mov,mp4,m4a,3gp,3g2,mj2"
	Duration time.Duration // of the container, 0 when unknown
	BitRate  int64         // bits per second of the whole file, 0 when unknown
	// Start is the earliest time stamp of the file in microseconds, frame.NoPTS when unknown.
	Start int64
	// Jumps says that time stamps of this container may jump in the middle (MPEG-TS and the like).
	Jumps    bool
	Metadata map[string]string
}

// OpenInput opens a file and reads enough of it to describe its streams.
func OpenInput(ctx context.Context, o InputOptions) (*Input, error) {
	in := &Input{fc: astiav.AllocFormatContext(), intr: newInterrupt()}
	in.intr.follow(ctx)
	C.pr_interrupt_use(in.intr.c, cFormat(in.fc))
	if err := explained(func() error { return in.open(o) }); err != nil {
		in.intr.free()
		return nil, refused(err)
	}
	if err := explained(func() error {
		return fail("read stream information", int(C.pr_find_stream_info(cFormat(in.fc), C.int64_t(o.MaxPixels))))
	}); err != nil {
		in.Close()
		return nil, err
	}
	in.describe()
	return in, nil
}

// url makes sure that a path is only ever taken as the name of a local file.
func url(path string) string {
	if path == "-" {
		return "pipe:0"
	}
	return "file:" + path
}

func (in *Input) open(o InputOptions) error {
	d := astiav.NewDictionary()
	defer d.Free()
	opts := map[string]string{"protocol_whitelist": "file,pipe", "max_streams": maxStreams}
	if o.References {
		opts["protocol_whitelist"] = "file,pipe,crypto,data"
	} else {
		names := C.pr_safe_demuxers()
		defer C.av_free(unsafe.Pointer(names))
		opts["format_whitelist"] = C.GoString(names)
		opts["pattern_type"] = "none"
	}
	for k, v := range opts {
		if err := d.Set(k, v, 0); err != nil {
			return failErr("open input", err)
		}
	}
	return failErr("open input", in.fc.OpenInput(url(o.Path), nil, d))
}

// refused recognises the white list's refusal, which has no error code of its own.
func refused(err error) error {
	var e *Error
	if errors.As(err, &e) && strings.Contains(e.Detail, "not on whitelist") {
		return ErrReference
	}
	return err
}

func (in *Input) describe() {
	in.streams = in.fc.Streams()
	for _, s := range in.streams {
		in.Streams = append(in.Streams, describeStream(in.fc, s))
	}
	f := in.fc.InputFormat()
	in.Format = f.Name()
	in.Jumps = f.Flags().Has(astiav.IOFormatFlagTsDiscont)
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

// Read fills p with the next packet. io.EOF ends the file; ErrInterrupted says that ctx has ended.
func (in *Input) Read(ctx context.Context, p *Packet) error {
	in.intr.follow(ctx)
	err := in.fc.ReadFrame(p.p)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, astiav.ErrEof):
		return io.EOF
	case errors.Is(err, astiav.ErrEagain):
		return ErrAgain
	}
	return failErr("read packet", err)
}

// Rewind goes back to the beginning; inputs that come through a pipe cannot.
func (in *Input) Rewind() error {
	return fail("go back to the beginning", int(C.pr_rewind(cFormat(in.fc))))
}

// ErrAgain says that there is nothing now, but may be later.
var ErrAgain = errors.New("nothing to read yet")

// Close releases the file. Packets that were read stay valid. Idempotent.
func (in *Input) Close() {
	if in.fc == nil {
		return
	}
	in.fc.CloseInput()
	in.fc = nil
	in.intr.free()
}

// String names the input for messages.
func (in *Input) String() string { return fmt.Sprintf("%s, %d streams", in.Format, len(in.Streams)) }
