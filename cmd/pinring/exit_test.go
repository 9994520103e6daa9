package main

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/report"
)

func TestExitCodes(t *testing.T) {
	oom := &gpu.OutOfMemoryError{Call: "cuMemAlloc", Code: 2, Requested: 1}
	lost := &gpu.DeviceError{Call: "cuStreamSynchronize", Code: 700, Poisoned: true}
	plain := errors.New("plain")
	for name, tt := range map[string]struct {
		err     error
		code    int
		outcome report.Outcome
	}{
		"done":                     {nil, 0, report.OK},
		"usage":                    {usage("", "x"), 2, report.Failed},
		"setting":                  {&config.ValueError{}, 2, report.Failed},
		"settings":                 {errors.Join(plain, &config.UnknownError{}), 2, report.Failed},
		"settings file":            {&config.FileError{}, 2, report.Failed},
		"chain":                    {at(stageConfig, plain), 2, report.Failed},
		"input":                    {at(stageInput, plain), 3, report.Failed},
		"memory":                   {fmt.Errorf("x: %w", oom), 4, report.OOM},
		"memory, whatever stage":   {at(stageInput, oom), 4, report.OOM},
		"lost":                     {at(stageProcess, &lostError{frames: 1, why: "damage"}), 5, report.Lost},
		"output":                   {at(stageOutput, plain), 6, report.Failed},
		"device":                   {at(stageDevice, plain), 7, report.Failed},
		"device, whatever stage":   {at(stageProcess, lost), 7, report.Failed},
		"interrupted":              {at(stageProcess, errInterrupted), 130, report.Interrupted},
		"cancelled while opening":  {at(stageInput, context.Canceled), 130, report.Interrupted},
		"the inner stage decides":  {at(stageProcess, at(stageOutput, plain)), 6, report.Failed},
		"unclassified":             {at(stageProcess, plain), 1, report.Failed},
		"hints do not hide errors": {&hinted{at(stageInput, plain), "hint"}, 3, report.Failed},
	} {
		if code := exitCode(tt.err); code != tt.code || outcomeOf(code) != tt.outcome {
			t.Errorf("%s: %d %s, want %d %s", name, code, outcomeOf(code), tt.code, tt.outcome)
		}
	}
}
