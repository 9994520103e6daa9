package main

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/report"
)

func (a *app) benchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench [INPUT] [flags]",
		Short: "Measure this machine: copies, allocations, the ring's path, kernels, and which stage limits",
		Long: `Measures copies between host and device, what allocating page-locked memory costs, the
ring's path against a bare loop that does the same and against churn, and the kernels. With
INPUT also how fast each stage of a run of it is (with -f and the other flags of run), and
which one the run waits for. It takes about half a minute on a GPU.`,
		Example: `  pinring bench
  pinring bench in.mp4 -f scale=1280:720
  pinring bench --device cuda:1 --json bench.json`,
		Args: cli.AtMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			loaded, err := config.Load(cmd.Flags())
			if err != nil {
				return err
			}
			return a.bench(cmd.Context(), loaded.Config, args)
		},
	}
	config.AddFlags(cmd.Flags(), "staging", "churn", "source", "emulate", "force")
	cmd.Flags().SortFlags = false
	return cmd
}

// bench measures the input, if there is one, since it may be no video, then the device.
func (a *app) bench(ctx context.Context, c config.Config, args []string) error {
	if c.Talk.Quiet {
		a.talk.beQuiet()
	}
	if err := a.checkBench(c, args); err != nil {
		return err
	}
	b := &report.Bench{Version: version(), Notes: []string{}, Stages: []report.BenchStage{}}
	if len(args) == 1 {
		if err := a.benchInput(ctx, c, args[0], b); err != nil {
			return err
		}
	} else {
		b.Notes = append(b.Notes, "The decoder was not measured: name a video file for that.")
	}
	if err := a.rooms.bench(ctx, c, b, func(s string) { a.talk.say("%s", s) }); err != nil {
		return err
	}
	for _, l := range a.rooms.libraries() {
		b.Environment = append(b.Environment, report.Fact{Name: l.Name, Value: l.Version})
	}
	return a.publishBench(c, b)
}

func (a *app) checkBench(c config.Config, args []string) error {
	if len(args) == 0 {
		return usableJSON(c)
	}
	return a.check(&job{Config: c, input: args[0], output: outputNull})
}

// benchInput runs the input as run does, and asks what each stage was busy with.
func (a *app) benchInput(ctx context.Context, c config.Config, input string, b *report.Bench) error {
	j := &job{Config: c, input: input, output: outputNull, talk: newTalk(io.Discard), report: newReport(c, outputNull)}
	a.talk.say("running %s", input)
	err := alone(ctx, j, a.rooms.prepare(c, 1, j.talk))
	finish(j.report, err)
	var lost *lostError
	if err != nil && !errors.As(err, &lost) {
		return err
	}
	b.Input = j.report.Input
	b.Stages, b.Limit = stageRates(j.report)
	return nil
}

// stageRates is what each stage could do if the others took no time, and the slowest.
func stageRates(r *report.Run) (out []report.BenchStage, limit *string) {
	if r.Stages == nil || r.Frames == nil || r.Frames.Delivered == 0 {
		return nil, nil
	}
	s := r.Stages
	for _, x := range []struct {
		name string
		busy *report.Busy
	}{{"decode", s.Decode}, {"memcpy", s.Memcpy}, {"upload", s.Upload}, {"kernels", s.Kernels}, {"download", s.Download}, {"encode", s.Encode}} {
		if x.busy == nil || x.busy.Seconds <= 0 {
			continue
		}
		out = append(out, report.BenchStage{Stage: x.name, FPS: float64(r.Frames.Delivered) / x.busy.Seconds})
		if limit == nil || out[len(out)-1].FPS < slowest(out[:len(out)-1]) {
			name := x.name
			limit = &name
		}
	}
	return out, limit
}

func slowest(s []report.BenchStage) float64 {
	least := s[0].FPS
	for _, x := range s {
		least = min(least, x.FPS)
	}
	return least
}

// publishBench prints the figures in the forms that are wanted.
func (a *app) publishBench(c config.Config, b *report.Bench) error {
	command, created := cli.Quoted("pinring", os.Args), time.Now().Format(time.RFC3339)
	b.Command, b.Created = &command, &created
	switch j := string(c.Talk.JSON); j {
	case "-":
		return at(stageOutput, report.JSON{}.PrintBench(a.out, b))
	case "":
	default:
		if err := writeWhole(j, func(w io.Writer) error { return report.JSON{}.PrintBench(w, b) }); err != nil {
			return at(stageOutput, err)
		}
	}
	if c.Talk.Quiet {
		return nil
	}
	return at(stageOutput, report.Text{}.PrintBench(a.out, b))
}
