package trial

import (
	"errors"
	"fmt"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/cmd/internal/contest"
	"github.com/pinring/pinring/cmd/internal/tally"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/report"
	"github.com/pinring/pinring/transfer"
)

// failure says it in other words than the errors below it.
type failure struct {
	message string
	frame   int64 // -1: none
	err     error
}

func (e *failure) Error() string { return e.message }
func (e *failure) Unwrap() error { return e.err }

// explain says what was lacking, and how to do without it. frame is -1 before the first.
func (t *trial) explain(err error, frame int64) error {
	var refusal *wddm.Refusal
	var oom *gpu.OutOfMemoryError
	var exhausted *budget.ExhaustedError
	var format *kernels.FormatError
	var stage *pipeline.StageError
	f := &failure{message: err.Error(), frame: frame, err: err}
	switch {
	case errors.As(err, &exhausted):
		f.message = exhausted.Error()
		return cli.Hint(f, contest.PatienceAdvice(t.Config))
	case errors.As(err, &oom):
		where := ""
		if frame >= 0 {
			where = fmt.Sprintf(" at frame %d", frame)
		}
		f.message = fmt.Sprintf("out of memory%s: %v", where, oom)
		if errors.As(err, &refusal) {
			f.message = fmt.Sprintf("out of memory%s: %s", where, tally.ExplainOOM(refusal, oom))
		}
		return cli.Hint(f, contest.MemoryAdvice(t.Config))
	case errors.As(err, &format): // the chain is well formed; it is these pictures that it cannot take
		return cli.Hint(&cli.InputError{Err: f}, format.Hint)
	case errors.As(err, &stage) && stage.Stage == "plan": // sizes that cannot be, and the like
		return cli.Usage("", "--filter: %v", stage.Err)
	case errors.Is(err, transfer.ErrCap):
		return cli.Hint(f, "--max-pinned raises the cap; fewer --in-flight frames need less")
	}
	return f
}

// Finish writes the end of a run into its report: outcome and exit code are the program's.
func Finish(r *report.Run, err error, outcome report.Outcome, code int) {
	r.Outcome, r.ExitCode = outcome, code
	if err == nil {
		return
	}
	r.Error = &report.Error{Stage: "process", Message: err.Error()}
	var f *failure
	if errors.As(err, &f) && f.frame >= 0 {
		r.Error.Frame = &f.frame
	}
	if errors.Is(err, gpu.ErrOutOfMemory) || errors.Is(err, transfer.ErrCap) {
		r.Error.Stage = "staging"
	}
	if hint := cli.HintOf(err); hint != "" {
		r.Error.Hint = &hint
	}
	tally.OutOfMemory(err, r)
}
