package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/pinring/pinring/report"
)

// publishBatch prints the batch: JSON where the user wants it, the table on standard output unless that
// carries something else.
func (b *batch) publishBatch(r *report.Batch) error {
	var err error
	name := string(b.config.Talk.JSON)
	switch name {
	case "":
	case "-":
		err = report.JSON{}.PrintBatch(b.out, r)
	default:
		err = writeWhole(name, func(w io.Writer) error { return report.JSON{}.PrintBatch(w, r) })
	}
	if err != nil {
		err = at(stageOutput, fmt.Errorf("the result as JSON cannot be written: %w", err))
	}
	if b.config.Talk.Quiet {
		return err
	}
	var text bytes.Buffer
	_ = report.Text{}.PrintBatch(&text, r) // a buffer takes everything
	if name != "-" && b.tasks[0].output != outputMD5 {
		_, e := b.out.Write(text.Bytes())
		return errors.Join(err, at(stageOutput, e))
	}
	for line := range strings.Lines(text.String()) {
		b.talk.say("%s", strings.TrimSuffix(line, "\n"))
	}
	return err
}
