package encode

import "github.com/pinring/pinring/internal/av"

// StreamParams describes a stream of the input; decode.Stream has it.
type StreamParams = av.StreamParams

// Params say what to write and how.
type Params struct {
	Output    string // see the package comment
	Overwrite bool   // replace a file that exists
	Input     string // the input's name; the output is refused when it is the same file

	VCodec  string            // FFmpeg's name of the encoder; "" is libx264
	CRF     *float64          // constant rate factor; nil is the encoder's default
	Preset  string            // "" is the encoder's default
	Opts    map[string]string // any other options of the encoder
	Threads int               // encoder threads, 0 for as many as suit the machine

	// Video is the stream that the frames were decoded from: its metadata, disposition and display
	// matrix go into the file. Nil when there is none.
	Video *StreamParams
	// Upright says that the frames were turned upright on the way: Video's display matrix does not go
	// into the file.
	Upright bool
	// Copy are the streams whose packets WritePacket will bring.
	Copy     []*StreamParams
	Metadata map[string]string // of the file

	// QueueBytes bounds the packets that wait for the first frame; 0 is DefaultQueueBytes.
	QueueBytes int
}

// Defaults.
const (
	DefaultVCodec     = "libx264"
	DefaultQueueBytes = 64 << 20
)
