package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/report"
)

// Exit codes, a contract with scripts.
const (
	exitDone        = cli.ExitDone
	exitOther       = cli.ExitOther
	exitUsage       = cli.ExitUsage
	exitInput       = cli.ExitInput
	exitMemory      = cli.ExitMemory
	exitLost        = cli.ExitLost
	exitOutput      = cli.ExitOutput
	exitDevice      = cli.ExitDevice
	exitInterrupted = cli.ExitInterrupted
)

// errInterrupted is the cause of a context that the user cancelled.
var errInterrupted = cli.ErrInterrupted

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
	var several *batchError
	switch {
	case errors.As(err, &several):
		return several.code
	case meaningless(err):
		return exitUsage
	}
	if code := cli.ExitCode(err); code != exitOther {
		return code
	}
	if is[*lostError](err) {
		return exitLost
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

// severity lists the exit codes from the worst to the mildest: first what ended all inputs, then what
// is likely to meet the next one too, then what is one input's own.
var severity = []int{exitInterrupted, exitOther, exitDevice, exitMemory, exitOutput, exitUsage, exitInput, exitLost, exitDone}

// worse is the worse of two exit codes.
func worse(a, b int) int {
	if slices.Index(severity, a) <= slices.Index(severity, b) {
		return a
	}
	return b
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
