package pipeline

import (
	"fmt"
	"time"

	"github.com/pinring/pinring/frame"
)

// Counters tell what became of the frames so far. Admitted = Delivered + Discarded when a run has
// ended.
type Counters struct {
	Admitted        int64 // taken from the source
	Delivered       int64 // taken by the sink
	Discarded       int64 // released without having been delivered
	CopiedToEncoder int64 // copied out of a decoder's slot because the sink keeps frames
	InFlight        int   // on the road now
	InFlightMax     int
}

// Busy is the time that each stage spent working on frames. Stages overlap, so the sum exceeds the
// run's duration when the pipeline does its job. Upload, Kernels and Download are measured on the
// device's own clock.
type Busy struct {
	Decode, Memcpy, Upload, Kernels, Download, Encode time.Duration
}

// Result is what a run did. It is complete on errors, too.
type Result struct {
	Counters
	Busy        Busy
	Seconds     float64 // from the first call of the source to the finished output
	Interrupted bool    // the context ended before the stream did
	In, Out     frame.Info
	Chain       string // as planned, conversions that were added included
	Moved       bool   // the run went over to Params.Next
	Before      int64  // frames that were delivered until then
	BusyBefore  Busy   // what the device before was busy with: Upload, Kernels and Download of Busy
}

// StageError says where on the road a failure happened.
type StageError struct {
	Stage string // "decode", "plan", "upload", "kernels", "device", "encode"
	Frame int64  // index of the frame, -1 when it is none in particular
	Err   error
}

func (e *StageError) Error() string {
	if e.Frame < 0 {
		return fmt.Sprintf("%s: %v", e.Stage, e.Err)
	}
	return fmt.Sprintf("%s, frame %d: %v", e.Stage, e.Frame, e.Err)
}

func (e *StageError) Unwrap() error { return e.Err }

func stageError(stage string, n int64, err error) error {
	if err == nil {
		return nil
	}
	return &StageError{Stage: stage, Frame: n, Err: err}
}
