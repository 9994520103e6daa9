package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/cmd/internal/contest"
	"github.com/pinring/pinring/cmd/internal/tally"
	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/internal/av"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/transfer"
)

// explainDecode gives the advice of package decode to the user.
func explainDecode(err error) error {
	var e *decode.Error
	if errors.As(err, &e) && e.Hint != "" {
		return &hinted{err, e.Hint}
	}
	return err
}

// explainEncode gives the advice of package encode to the user.
func explainEncode(err error) error {
	var e *encode.Error
	if errors.As(err, &e) && e.Hint != "" {
		return &hinted{err, e.Hint}
	}
	return err
}

// explainRun puts a failure on the road into the step that it belongs to, with advice.
func (w *way) explainRun(err error) error {
	var s *pipeline.StageError
	if !errors.As(err, &s) {
		return err
	}
	err = w.explainMemory(explainEncode(explainDecode(err)), s.Frame)
	stage := stageFor(s.Stage)
	var format *kernels.FormatError
	var matrix *kernels.MatrixError
	switch {
	case errors.As(err, &format): // the chain is well formed; it is this input that it cannot take
		stage = stageInput
		hint := "--staging-format rgb24 converts pictures on the host first"
		switch {
		case format.Filter != "":
			hint = format.Hint
		case !av.Converts(format.Format):
			hint = unreadable
		}
		err = &hinted{err, hint}
	case errors.As(err, &matrix):
		stage = stageInput
		err = &hinted{err, "scale=in_color_matrix=bt709 before it, or another, takes the pictures for that"}
	case errors.Is(err, av.ErrNotConverted):
		err = &hinted{err, unreadable}
	case errors.Is(err, gpu.ErrOutOfMemory), errors.Is(err, transfer.ErrCap):
		stage = stageStaging
	}
	return &stageError{stage: stage, frame: s.Frame, err: err}
}

// unreadable is the advice for pixel formats that neither kernels nor libswscale read.
const unreadable = "libswscale does not read it: such pictures pass only as they are, without filters, to md5: or null:"

// explainMemory says what memory was lacking, and how to do without it. frame is -1 before the first.
func (s *stock) explainMemory(err error, frame int64) error {
	var refusal *wddm.Refusal
	var oom *gpu.OutOfMemoryError
	var exhausted *budget.ExhaustedError
	switch {
	case errors.As(err, &exhausted):
		return &hinted{&outOfMemory{exhausted.Error(), err}, s.patienceAdvice()}
	case errors.As(err, &oom) && errors.As(err, &refusal):
		where := ""
		if frame >= 0 {
			where = fmt.Sprintf(" at frame %d", frame)
		}
		return &hinted{&outOfMemory{fmt.Sprintf("out of memory%s: %s", where, tally.ExplainOOM(refusal, oom)), err}, s.memoryAdvice()}
	case errors.Is(err, transfer.ErrCap):
		return &hinted{err, "--max-pinned raises the cap; fewer --in-flight frames or --decoder-threads need less"}
	case oom != nil:
		return &hinted{err, s.memoryAdvice()}
	}
	return err
}

func (s *stock) patienceAdvice() string { return contest.PatienceAdvice(s.config) }
func (s *stock) memoryAdvice() string   { return contest.MemoryAdvice(s.config) }

// outOfMemory says it in other words than the errors below it.
type outOfMemory struct {
	message string
	err     error
}

func (e *outOfMemory) Error() string { return e.message }
func (e *outOfMemory) Unwrap() error { return e.err }

// stageFor maps the pipeline's stages to those of the journey.
func stageFor(s string) stage {
	switch s {
	case "decode":
		return stageInput
	case "encode":
		return stageOutput
	case "plan":
		return stageConfig
	case "budget":
		return stageStaging
	}
	return stageDevice
}

func unlessAuto(t config.Text) string {
	if t == config.Auto {
		return ""
	}
	return string(t)
}

func quality(q config.Quality) *float64 {
	if !q.Chosen {
		return nil
	}
	return &q.Value
}

// options splits k=v texts, which config has checked.
func options(list config.List) map[string]string {
	out := make(map[string]string, len(list))
	for _, kv := range list {
		k, v, _ := strings.Cut(kv, "=")
		out[k] = v
	}
	return out
}
