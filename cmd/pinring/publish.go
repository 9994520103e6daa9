package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/cmd/internal/tally"
	"github.com/pinring/pinring/report"
)

// announce is the line that says that frames begin to move.
func (j *job) announce() {
	in := j.report.Input
	if in == nil {
		return
	}
	rate := ""
	if in.FrameRate != nil {
		rate = fmt.Sprintf(", %.4g fps", *in.FrameRate)
	}
	j.talk.say("%s: %s %s %dx%d%s -> %s", in.Path, in.Codec, in.PixelFormat, in.Width, in.Height, rate, j.output)
}

// terminal is where the progress line may be drawn: nowhere when the user wants quiet.
func (j *job) terminal() io.Writer {
	if j.Talk.Quiet {
		return io.Discard
	}
	return os.Stderr
}

// finish writes the end of the journey into the report.
func finish(r *report.Run, err error) {
	r.ExitCode = exitCode(err)
	r.Outcome = outcomeOf(r.ExitCode)
	if err == nil {
		return
	}
	r.Error = &report.Error{Stage: string(stageOf(err)), Message: err.Error()}
	if r.Error.Stage == "" {
		r.Error.Stage = string(stageProcess)
	}
	var s *stageError
	if errors.As(err, &s) && s.frame >= 0 {
		r.Error.Frame = &s.frame
	}
	if hint := hintOf(err); hint != "" {
		r.Error.Hint = &hint
	}
	tally.OutOfMemory(err, r)
}

// publish prints the report: JSON where the user wants it, text on standard output. Where that
// carries the video or the JSON, the text is talk.
func (a *app) publish(j *job) error {
	err := a.publishJSON(j)
	if j.Talk.Quiet || j.report.Frames == nil {
		return err
	}
	var text bytes.Buffer
	if e := (report.Text{}).PrintRun(&text, j.report); e != nil {
		return errors.Join(err, at(stageOutput, e))
	}
	if !j.onStdout() && j.Talk.JSON != "-" {
		_, e := a.out.Write(text.Bytes())
		return errors.Join(err, at(stageOutput, e))
	}
	for line := range strings.Lines(text.String()) {
		j.talk.say("%s", strings.TrimSuffix(line, "\n"))
	}
	return err
}

func (a *app) publishJSON(j *job) error {
	var err error
	switch name := string(j.Talk.JSON); name {
	case "":
	case "-":
		err = report.JSON{}.PrintRun(a.out, j.report)
	default:
		err = writeWhole(name, func(w io.Writer) error { return report.JSON{}.PrintRun(w, j.report) })
	}
	if err != nil {
		return at(stageOutput, fmt.Errorf("the result as JSON cannot be written: %w", err))
	}
	return nil
}

// writeWhole makes a file that is either complete or not there.
func writeWhole(name string, write func(io.Writer) error) error { return cli.WriteWhole(name, write) }
