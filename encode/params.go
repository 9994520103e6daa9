package encode

import (
	"time"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// StreamParams describes a stream of the input; decode.Stream has it.
type StreamParams = av.StreamParams

// Chapter is a named part of a file; decode.Input has them.
type Chapter = av.Chapter

// Params say what to write and how.
type Params struct {
	Output    string // see the package comment
	Overwrite bool   // replace a file that exists
	Input     string // the input's name; the output is refused when it is the same file

	VCodec  string            // FFmpeg's name of the encoder; "" for the container's usual one
	CRF     *float64          // constant rate factor; nil is the encoder's default
	Preset  string            // "" is the encoder's default
	BitRate int64             // bits per second, 0 is the encoder's default
	Opts    map[string]string // any other options of the encoder
	Threads int               // encoder threads, 0 for as many as suit the machine
	// Can are the pixel formats that pictures can be converted to before they come; nil: all that
	// package frame describes.
	Can []frame.PixelFormat

	// Video is the stream that the frames were decoded from: its metadata, disposition and display
	// matrix go into the file. Nil when there is none.
	Video *StreamParams
	// Matrix replaces Video's display matrix. Upright says that the frames were turned on the way:
	// there is no matrix then.
	Matrix  *[9]int32
	Upright bool
	// Streams are those whose packets WritePacket will bring, and attachments, which have none.
	// They are copied where the container can hold them, else converted or left out, which is
	// noted.
	Streams []*StreamParams
	// ACodec is FFmpeg's name of the encoder for all sound, "copy" to refuse what cannot be copied,
	// "" to encode only that.
	ACodec   string
	Metadata map[string]string // of the file
	Chapters []Chapter         // times count from the file's beginning
	// Start and Length say which part of the input it is that comes, whose times count from Start: 0 and 0
	// for all of it. Sound that is encoded anew begins and ends with it to the sample, and timecodes count on.
	Start, Length time.Duration

	// StartNumber is the number of the first image of a sequence.
	StartNumber int
	// Redo replaces a sequence that a run has left unfinished, without Overwrite.
	Redo bool

	// Note gets what the user should know. From Open, Write and Finish only. May be nil.
	Note func(string)

	// QueueBytes bounds the packets that wait for the first frame; 0 is DefaultQueueBytes.
	QueueBytes int
}

// Defaults.
const (
	DefaultVCodec     = "libx264"
	DefaultQueueBytes = 64 << 20
)
