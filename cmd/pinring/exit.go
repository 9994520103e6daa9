package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/cmd/internal/survey"
	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/report"
	"github.com/pinring/pinring/transfer"
)

// Exit codes, a contract with scripts.
const (
	exitDone        = 0
	exitOther       = 1 // none of the below: a fault of the program
	exitUsage       = 2 // command line or settings; nothing was done
	exitInput       = 3 // cannot be read, or has no video
	exitMemory      = 4 // out of memory or budget
	exitLost        = 5 // finished, but frames were lost
	exitOutput      = 6 // cannot be written
	exitDevice      = 7
	exitInterrupted = 130 // what was done until then is complete
)

// errInterrupted is the cause of a context that the user cancelled.
var errInterrupted = errors.New("interrupted")

// lostError ends a run that finished without some of its frames.
type lostError struct {
	frames int64  // 0: how many is not known
	why    string // more to say, may be empty
}

func (e *lostError) Error() string {
	var s string
	switch e.frames {
	case 0:
		s = "frames were lost"
	case 1:
		s = "1 frame was lost"
	default:
		s = fmt.Sprintf("%d frames were lost", e.frames)
	}
	if e.why != "" {
		s += ": " + e.why
	}
	return s
}

// stage is a step of the journey; an error that nothing else classifies is judged by it.
type stage string

const (
	stageConfig  stage = "config"
	stageDevice  stage = "device"
	stageStaging stage = "staging"
	stageInput   stage = "input"
	stageOutput  stage = "output"
	stageProcess stage = "process"
)

// stageError says in which step an error happened, and about which frame.
type stageError struct {
	stage stage
	frame int64 // -1: none
	err   error
}

func (e *stageError) Error() string { return e.err.Error() }
func (e *stageError) Unwrap() error { return e.err }

// at puts err into a stage, unless an inner step already did.
func at(s stage, err error) error {
	var inner *stageError
	if err == nil || errors.As(err, &inner) {
		return err
	}
	return &stageError{stage: s, frame: -1, err: err}
}

// exitCode is the one place where errors become exit codes. Order matters: what an error is comes
// before where it happened.
func exitCode(err error) int {
	switch {
	case err == nil:
		return exitDone
	case is[*survey.ChildError](err):
		return survey.ExitCode(err)
	case errors.Is(err, errInterrupted), errors.Is(err, context.Canceled):
		return exitInterrupted
	case is[*usageError](err), is[*config.ValueError](err), is[*config.UnknownError](err), is[*config.FileError](err):
		return exitUsage
	case meaningless(err):
		return exitUsage
	case errors.Is(err, gpu.ErrOutOfMemory), errors.Is(err, transfer.ErrCap), errors.Is(err, budget.ErrExhausted):
		return exitMemory
	case is[*gpu.DeviceError](err):
		return exitDevice
	case is[*lostError](err):
		return exitLost
	}
	if is[*survey.UsageError](err) || is[*survey.StageError](err) {
		return survey.ExitCode(err)
	}
	switch stageOf(err) {
	case stageConfig:
		return exitUsage
	case stageDevice:
		return exitDevice
	case stageInput:
		return exitInput
	case stageOutput:
		return exitOutput
	}
	return exitOther
}

// meaningless reports whether the settings of the output made no sense.
func meaningless(err error) bool {
	var e *encode.Error
	return errors.As(err, &e) && e.Settings
}

func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

func stageOf(err error) stage {
	var e *stageError
	if errors.As(err, &e) {
		return e.stage
	}
	return ""
}

// outcomeOf is the word of the report for an exit code.
func outcomeOf(code int) report.Outcome {
	switch code {
	case exitDone:
		return report.OK
	case exitLost:
		return report.Lost
	case exitMemory:
		return report.OOM
	case exitInterrupted:
		return report.Interrupted
	}
	return report.Failed
}
