package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/cmd/internal/contest"
	"github.com/pinring/pinring/cmd/internal/trial"
	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/report"
)

// comparison is one compare command.
type comparison struct {
	*app
	config   config.Config
	page     string
	modes    []string
	size     string
	pictures *trial.Pictures
	open     func(want string) (gpu.Device, string, error)

	mu   sync.Mutex // rows speak from several goroutines
	said map[string]bool
}

// leftOut are settings that have no meaning without decoder and encoder, or that the rows decide.
var leftOut = []string{"source", "stream", "no-autorotate", "decoder-threads", "staging", "staging-format", "guard", "force",
	"vcodec", "crf", "preset", "vopt", "no-audio", "yes"}

func (a *app) compareCommand() *cobra.Command {
	var modes, page, size string
	cmd := &cobra.Command{
		Use:   "compare [-|FILE.y4m] [flags]",
		Short: "Run frames through several staging modes and show what each does to the memory",
		Long: `Runs the same frames once for each staging mode and puts the results side by side: reuse
(the ring), churn (page-locked memory allocated and freed for each frame), pageable, and
guarded (churn with the budget guard). Frames are synthetic (1920 x 1080 rgb24: 6,220,800
bytes), or the first 16 of a y4m stream (fewer where they are large), repeated. Where the device here cannot run out of
memory, a card that does is emulated, and labelled so.

A row that runs out of memory is a result, not an error: the exit code is 0.`,
		Args: cli.AtMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.NotEmpty(cmd, "modes", "report"); err != nil {
				return err
			}
			loaded, err := cli.Await(cmd.Context(), func() (*config.Loaded, error) { return config.Load(cmd.Flags()) })
			if err != nil {
				return err
			}
			m, err := contest.ParseModes(modes)
			if err != nil {
				return err
			}
			c := &comparison{app: a, config: loaded.Config, page: page, modes: m, size: size}
			return c.run(cmd.Context(), args)
		},
	}
	cmd.Flags().StringVar(&modes, "modes", "", "rows to compare, a comma between them (`LIST`: reuse,churn,pageable,guarded; also registered,mapped,managed)")
	cmd.Flags().StringVar(&page, "report", "", "write the comparison as one self-contained HTML `FILE`")
	cmd.Flags().StringVar(&size, "size", "1920x1080", "size of the synthetic frames, `WxH` pixels of three bytes")
	config.AddFlags(cmd.Flags(), leftOut...)
	cmd.Flags().SortFlags = false
	return cmd
}

func (c *comparison) run(ctx context.Context, args []string) error {
	if c.config.Talk.Quiet {
		c.talk.BeQuiet()
	}
	if err := c.check(ctx, args); err != nil {
		return err
	}
	c.open = openDevice
	if c.config.Budget.Emulate != "" {
		c.open = openForCard
	}
	card, err := cli.Await(ctx, c.look)
	if err != nil {
		return err
	}
	c.talk.Say("%s", card.why)
	rows, notes := contest.Entrants(c.modes, c.config.Budget.Emulate, card.info)
	var runs []report.Run
	for i, e := range rows {
		if err := card.calm.Told(ctx, c.talk.Say); err != nil {
			return err
		}
		r, err := c.row(ctx, e)
		if err != nil {
			return err
		}
		c.talk.Say("%d of %d: %s: %s", i+1, len(rows), e.Name(), contest.Ended(r))
		runs = append(runs, *r)
	}
	p := contest.Publication{Program: program, Version: version(), Out: c.out, Say: c.talk.Say, Page: c.page, Config: c.config,
		Environment: contest.Platform(strings.TrimPrefix(card.why, "device: "))}
	notes = append(notes, contest.Remarks(runs, true)...)
	return p.Print(runs, append(notes, "Frames are written into staging memory by this program, in place of a decoder, and dropped after their way back."))
}

// card is the device before the first row.
type card struct {
	info gpu.Info
	why  string // it was taken
	calm *contest.Calm
}

// look opens the device once. A driver may never answer.
func (c *comparison) look() (*card, error) {
	dev, why, err := c.open(string(c.config.Device.Want))
	if err != nil {
		return nil, err
	}
	info := dev.Info()
	if err := dev.Close(); err != nil {
		return nil, err
	}
	calm, err := contest.NewCalm(c.open, string(c.config.Device.Want))
	return &card{info, why, calm}, err
}

// check looks at everything that can be wrong before anything is done.
func (c *comparison) check(ctx context.Context, args []string) (err error) {
	if err := cli.CheckResults(c.page, string(c.config.Talk.JSON)); err != nil {
		return err
	}
	if _, err := kernels.Parse(string(c.config.Filter.Chain)); err != nil {
		return cli.Usage("", "%s", err)
	}
	c.pictures, err = cli.Await(ctx, func() (*trial.Pictures, error) { return c.frames(args) })
	return err
}

// frames reads the stream that is named, or makes frames.
func (c *comparison) frames(args []string) (*trial.Pictures, error) {
	if len(args) == 0 {
		w, h, ok := strings.Cut(c.size, "x")
		width, height := number(w), number(h)
		if !ok || width < 1 || height < 1 {
			return nil, cli.Usage("such as 1920x1080", "--size %q is no size", c.size)
		}
		p, err := trial.Synthetic(frame.RGB24, width, height, frame.Rational{Num: 30, Den: 1})
		if errors.Is(err, gpu.ErrOutOfMemory) {
			return nil, err
		}
		if err != nil {
			return nil, cli.Usage("", "--size: %s", err)
		}
		return p, nil
	}
	in := c.in
	if args[0] != "-" {
		f, err := os.Open(args[0])
		if err != nil {
			return nil, &cli.InputError{Err: err}
		}
		defer f.Close()
		in = f
	}
	p, err := trial.ReadY4M(in, args[0])
	if errors.Is(err, gpu.ErrOutOfMemory) {
		return nil, err
	}
	if err != nil {
		return nil, cli.Hint(&cli.InputError{Err: err}, "a stream that can be read: ffmpeg -i in.mp4 -frames:v 16 -f yuv4mpegpipe - | "+program+" compare -")
	}
	return p, nil
}

// number is a size in pixels, 0 for anything else.
func number(text string) int {
	n := 0
	for _, d := range text {
		if d < '0' || d > '9' || n > 1<<15 {
			return 0
		}
		n = 10*n + int(d-'0')
	}
	return n
}

// leastCompared is how many frames a row takes, unless the user says otherwise: enough to show what
// churn does.
const leastCompared = 300

// row runs one entrant. Running out of memory is a result, and so is a kind of memory that this device
// has not; anything else ends the comparison.
func (c *comparison) row(ctx context.Context, e contest.Entrant) (*report.Run, error) {
	t := trial.Trial{Config: e.Settings(c.config, true), Pictures: c.pictures, Frames: int64(c.config.Input.Frames), Version: version(),
		Open: c.open, Say: c.once}
	if t.Frames == 0 {
		t.Frames = leastCompared
	}
	t.Config.Staging.Format = "native"
	r, err := t.Run(ctx)
	code := cli.ExitCode(err)
	trial.Finish(r, err, outcome(code), code)
	if code == cli.ExitDone || code == cli.ExitMemory || errors.Is(err, gpu.ErrUnsupported) {
		return r, nil
	}
	return nil, err
}

// once says what the rows have to say, each thing once for all of them.
func (c *comparison) once(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.said == nil {
		c.said = map[string]bool{}
	}
	if !c.said[text] {
		c.said[text] = true
		c.talk.Say("%s", text)
	}
}

// outcome is the word of the report for an exit code.
func outcome(code int) report.Outcome {
	switch code {
	case cli.ExitDone:
		return report.OK
	case cli.ExitMemory:
		return report.OOM
	case cli.ExitInterrupted:
		return report.Interrupted
	}
	return report.Failed
}
