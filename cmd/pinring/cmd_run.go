package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/report"
)

// The outputs that are no file.
const (
	outputNull   = "null:"
	outputMD5    = "md5:"
	outputStdout = "-"
)

func (a *app) runCommand() *cobra.Command {
	var output string
	var names list
	cmd := &cobra.Command{
		Use:   "run INPUT... [-o OUTPUT] [flags]",
		Short: "Decode, filter and encode video files",
		Long: `Decodes INPUT into a ring of page-locked slots, runs the filter chain on the device and
encodes the result. The name of OUTPUT says what is written: .mp4 .mkv .mov .webm .ts
.y4m, out-%05d.png or .jpg (an image for each frame), - (y4m on standard output), md5:
(a checksum for each frame, on standard output), null: (nothing; the default).

INPUT is a file, - (the video on standard input), or a pattern in quotes: 'dir/*.mov',
'**/*.mkv', '*.{mp4,mov}'. --list FILE names more, one a line. With several inputs
OUTPUT has placeholders, {name} {ext} {dir} {index}, or is a folder. One that fails does
not stop the others; the exit code is the worst.

Each flag is also a setting: --max-pinned is max-pinned in pinring.yaml and
PINRING_MAX_PINNED in the environment (pinring config).

Exit codes: 0 done; 2 usage or configuration; 3 input cannot be read or has no video;
4 out of memory or budget; 5 finished, frames were lost; 6 output cannot be written;
7 device; 130 interrupted, what was done until then is complete; 1 anything else.`,
		Example: `  pinring run in.mp4 -o out.mp4 -f "scale=1280:720"
  pinring run in.mkv -o out.mkv --vcodec libx264 --crf 20 --preset veryfast
  pinring run in.mp4 -o - -f negate | ffplay -
  pinring run a.mp4 'dir/*.mov' -o 'out/{name}.mp4' --jobs 2 --skip-existing
  find . -name '*.mkv' -print0 | pinring run --list - -0 -o 'small/{index}-{name}.mp4'
  pinring run in.mp4 --json - | jq .fps
  pinring run in.mp4 --device cpu --frames 100 -o md5:`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			loaded, err := config.Load(cmd.Flags())
			if err != nil {
				return err
			}
			if len(args) == 0 && names.file == "" {
				return usage("usage: "+cmd.UseLine(), "run needs an input")
			}
			if names.nul && names.file == "" {
				return usage("", "-0 says how a list is written, and there is no --list")
			}
			in, err := gather(args, names, os.Stdin)
			if err != nil {
				return err
			}
			return a.runAll(cmd.Context(), loaded.Config, in, output)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", outputNull, "`OUTPUT` file, - for y4m on standard output, md5: or null:; with {name} {ext} {dir} {index}, or a folder, for several inputs")
	cmd.Flags().StringVar(&names.file, "list", "", "`FILE` that names inputs, one a line; - for standard input")
	cmd.Flags().BoolVarP(&names.nul, "null", "0", false, "names in the list end with a NUL, as find -print0 writes them")
	config.AddFlags(cmd.Flags())
	cmd.Flags().SortFlags = false
	return cmd
}

// runAll plans what becomes of the inputs and does it.
func (a *app) runAll(ctx context.Context, c config.Config, in inputs, output string) error {
	tasks, err := plan(c, in, output)
	if err != nil {
		return err
	}
	if !in.several {
		return a.run(ctx, c, tasks[0])
	}
	if c.Talk.Quiet {
		a.talk.beQuiet()
	}
	for _, t := range tasks {
		if err := a.check(&job{Config: c, input: t.input, output: t.output}); err != nil {
			return err
		}
	}
	if err := checkAllSettings(c, tasks); err != nil {
		return err
	}
	return a.runBatch(ctx, c, tasks)
}

// run does one job and tells how it ended: as JSON where asked for, and as text.
func (a *app) run(ctx context.Context, c config.Config, t task) error {
	j := &job{Config: c, input: t.input, output: t.output, talk: a.talk, report: newReport(c, t.output), resumable: bool(c.Batch.SkipExisting)}
	j.report.InputPath = &t.input
	if c.Talk.Quiet {
		a.talk.beQuiet()
	}
	if err := a.check(j); err != nil {
		return err
	}
	if err := j.checkSettings(); err != nil {
		return err
	}
	err := a.attempt(ctx, j, t)
	for bool(c.Batch.SkipExisting) && errors.Is(err, encode.ErrBusy) {
		if err = awaitOther(ctx, t, a.talk); err == nil {
			err = a.attempt(ctx, j, t)
		}
	}
	if errors.Is(err, errSkipped) || bool(c.Batch.SkipExisting) && errors.Is(err, encode.ErrExists) {
		a.talk.say("%s: skipped, %s exists", t.input, t.output)
		err, j.report.Outcome = nil, report.Skipped
	} else {
		finish(j.report, err)
	}
	if exitCode(err) == exitUsage {
		return err // such as an option that the encoder does not have: nothing was done
	}
	if failed := a.publish(j); failed != nil && err == nil {
		return failed
	}
	return err
}

// attempt does the job unless its output is there.
func (a *app) attempt(ctx context.Context, j *job, t task) error {
	if err := prepareOutput(j.Config, t); err != nil {
		return err
	}
	err := alone(ctx, j, a.rooms.prepare(j.Config, 1, a.talk))
	var none *gpu.NoContextError
	if errors.As(err, &none) {
		return &stageError{stageDevice, -1, unavailable(none)}
	}
	return err
}

// check refuses what cannot be meant, before anything is opened.
func (a *app) check(j *job) error {
	switch {
	case j.Talk.JSON == "-" && j.onStdout():
		return usage("write the JSON to a file: --json result.json", "--json - and the output %s both want standard output", j.output)
	case j.Talk.JSON != "" && string(j.Talk.JSON) == j.output && j.output != "-":
		return usage("", "--json and -o name the same file, %s", j.output)
	case sameFile(j.input, string(j.Talk.JSON)):
		return usage("choose another name", "--json would replace the input %s", j.input)
	}
	if err := usableJSON(j.Config); err != nil {
		return err
	}
	if err := a.rooms.checkChain(string(j.Filter.Chain)); err != nil {
		return at(stageConfig, err)
	}
	return nil
}

// usableJSON refuses a place for the JSON that could not be written to at the end.
func usableJSON(c config.Config) error {
	if err := writable(string(c.Talk.JSON)); err != nil {
		return usage("", "--json: %s", err)
	}
	return nil
}

// onStdout reports whether the output is written to standard output.
func (j *job) onStdout() bool { return j.output == outputStdout || j.output == outputMD5 }

// takesPackets reports whether the output is a container, which can hold sound beside the video.
func (j *job) takesPackets() bool {
	return !j.onStdout() && j.output != outputNull && !strings.HasPrefix(j.output, outputMD5) &&
		!strings.EqualFold(filepath.Ext(j.output), ".y4m") && !encode.IsImage(j.output)
}

// writable reports what stands against writing a file of that name, before there is anything to
// write into it. Empty and "-" are no files.
func writable(name string) error {
	if name == "" || name == "-" {
		return nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder", name)
	}
	info, err := os.Stat(filepath.Dir(name))
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no folder", filepath.Dir(name))
	}
	return err
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y) && x.Mode().IsRegular()
}

// newReport fills in what is known from the start.
func newReport(c config.Config, output string) *report.Run {
	format := string(c.Staging.Format)
	return &report.Run{
		Version: version(), Output: &output, Chain: string(c.Filter.Chain),
		Staging: string(c.Staging.Mode), StagingFormat: &format,
	}
}
