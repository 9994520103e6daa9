package pipeline

import (
	"context"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/transfer"
)

// Source gives frames. Used by one goroutine.
type Source interface {
	// Next returns the next frame, which the caller owns; io.EOF after the last one. It returns
	// soon after ctx has ended.
	Next(ctx context.Context) (*frame.Frame, error)
}

// Sink takes frames. Used by one goroutine.
type Sink interface {
	// Format says in which pixel format the sink wants pictures that would come in f: f itself
	// when it takes them as they are.
	Format(f frame.PixelFormat) frame.PixelFormat
	// FollowsSize reports whether pictures may change their size and format on the way; otherwise
	// all are brought to the first one's.
	FollowsSize() bool
	// MaxHeld is how many frames the sink may keep after Write has returned.
	MaxHeld() int
	// Write takes ownership of the frame, on error too.
	Write(ctx context.Context, f *frame.Frame) error
	// Partial says, before Finish, that the output will be a part of what was to be: the budget did
	// not suffice for the rest. Its name should tell.
	Partial()
	// Finish drains the sink and completes the output.
	Finish(ctx context.Context) error
}

// Guard admits frames before they take memory; a *budget.Guard is one, and a *budget.Door where several
// runs share a guard.
type Guard interface {
	// Admit returns when the frame may take bytes of pinned memory, which are 0 when it only uses
	// memory again. An error that is budget.ErrExhausted ends the admission, not the run.
	Admit(ctx context.Context, frame, bytes int64) error
	// Allocated says that an admitted frame has its memory, Done that it has given it back.
	Allocated(frame int64)
	Done(frame int64)
	// Level is what the run should do without at present.
	Level() budget.Level
}

// DefaultInFlight is the number of frames on the road at once when Params does not say. Two keep
// both copy engines busy; more ride out the jitter of decoder and encoder.
const DefaultInFlight = 4

// DefaultHangLimit is how long a device may take for one frame before it is given up as hung.
const DefaultHangLimit = 30 * time.Second

// Params is everything that a run needs. The pipeline closes none of it.
type Params struct {
	Source    Source
	Sink      Sink
	Device    gpu.Device
	Staging   *transfer.Staging
	Chain     kernels.Chain
	InFlight  int           // 0: DefaultInFlight
	MaxFrames int64         // admit no more than this; 0: no limit
	HangLimit time.Duration // 0: DefaultHangLimit

	// Program gives kernels.Module loaded on the device, which many runs may share. It may take its time: the
	// source is asked for frames meanwhile. Nil: the run loads it for itself.
	Program func() (gpu.Program, error)

	// Next gives another base, which the run goes over to between two frames when it comes. Nil: none
	// does.
	Next <-chan Base

	// PartWhenInterrupted makes an output that an interrupt cut short appear as a part (Sink.Partial),
	// not under the name of the whole.
	PartWhenInterrupted bool

	// Guard admits each frame before it takes memory. Nil admits all.
	Guard Guard
	// Ready is called once, when the first frame's way is planned and its rings are made, before any
	// frame is admitted: whatever is allocated from then on is per frame. May be nil.
	Ready func(in frame.Info)
	// Staged is called after a frame has taken its memory, in the order of the frames. May be nil.
	Staged func(n int64)

	// Progress is called after each delivered frame, from one goroutine. It must be quick. May be nil.
	Progress func(Counters)
	// Note gets what the user should know once (a guessed colour matrix). May be nil.
	Note func(string)
}

func (p *Params) withDefaults() {
	if p.InFlight <= 0 {
		p.InFlight = DefaultInFlight
	}
	if p.HangLimit <= 0 {
		p.HangLimit = DefaultHangLimit
	}
	if p.Progress == nil {
		p.Progress = func(Counters) {}
	}
	if p.Ready == nil {
		p.Ready = func(frame.Info) {}
	}
	if p.Staged == nil {
		p.Staged = func(int64) {}
	}
	if p.Note == nil {
		p.Note = func(string) {}
	}
}
