package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// PrintBatch writes a line for each input, and how many ended how.
func (Text) PrintBatch(w io.Writer, b *Batch) error {
	var text bytes.Buffer
	t := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "input\toutcome\tframes\tfps\toutput\tmessage")
	for i := range b.Runs {
		fmt.Fprintln(t, strings.Join(batchLine(&b.Runs[i]), "\t"))
	}
	t.Flush() // a buffer takes everything
	var out bytes.Buffer
	for line := range strings.Lines(text.String()) {
		out.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	fmt.Fprintln(&out, b.Verdict)
	_, err := w.Write(out.Bytes())
	return err
}

// batchLine is a run's cells.
func batchLine(r *Run) []string {
	frames, fps, output, message := none, none, none, ""
	if r.Frames != nil {
		frames = count(r.Frames.Delivered)
	}
	if r.FPS != nil {
		fps = rate(*r.FPS)
	}
	switch {
	case r.Partial != nil:
		output = *r.Partial
	case r.Output != nil && (r.Outcome == OK || r.Outcome == Lost || r.Outcome == Skipped || r.Outcome == Interrupted && r.Frames != nil):
		output = *r.Output // of others nothing is there
	}
	if r.Error != nil {
		message = r.Error.Message
	}
	input := none
	if r.InputPath != nil {
		input = *r.InputPath
	}
	cells := []string{input, outcomeText(r), frames, fps, output, message}
	for i := range cells {
		cells[i] = printable(cells[i])
	}
	return cells
}

// outcomeText says how a run ended, with its exit code where that tells more.
func outcomeText(r *Run) string {
	switch r.Outcome {
	case Failed, OOM:
		return fmt.Sprintf("failed (%d)", r.ExitCode)
	case Lost:
		return fmt.Sprintf("lost frames (%d)", r.ExitCode)
	case NotStarted:
		return "not started"
	case OK:
		return "done"
	}
	return string(r.Outcome)
}
