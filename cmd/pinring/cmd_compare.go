package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/cmd/internal/contest"
	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/report"
)

func (a *app) compareCommand() *cobra.Command {
	var modes, page string
	cmd := &cobra.Command{
		Use:   "compare INPUT [flags]",
		Short: "Run one file through several staging modes and show what each does to the memory",
		Long: `Runs INPUT once for each staging mode and puts the results side by side: reuse (the
ring), churn (page-locked memory allocated and freed for each frame), pageable, and guarded
(churn with the budget guard). Where the device here cannot run out of memory, a card that
does is emulated, and labelled so. Short inputs are looped.

A row that runs out of memory is a result, not an error: the exit code is 0.`,
		Example: `  pinring compare in.mp4 --report compare.html
  pinring compare in.mp4 --emulate article-video,reclaim=5s --modes reuse,churn
  pinring compare in.mp4 --source memory --frames 3000`,
		Args: exactly(1, "one input file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.NotEmpty(cmd, "modes", "report"); err != nil {
				return err
			}
			loaded, err := config.Load(cmd.Flags())
			if err != nil {
				return err
			}
			m, err := contest.ParseModes(modes)
			if err != nil {
				return err
			}
			c := &comparison{app: a, config: loaded.Config, input: args[0], page: page, modes: m,
				formatChosen: loaded.Origin("staging-format").Layer != config.LayerDefault}
			return c.run(cmd.Context())
		},
	}
	cmd.Flags().StringVar(&modes, "modes", "", "rows to compare, a comma between them (`LIST`: reuse,churn,pageable,guarded; also registered,mapped,managed)")
	cmd.Flags().StringVar(&page, "report", "", "write the comparison as one self-contained HTML `FILE`")
	config.AddFlags(cmd.Flags(), "staging", "guard", "jobs", "skip-existing", "fail-fast")
	cmd.Flags().SortFlags = false
	return cmd
}

// comparison is one compare command.
type comparison struct {
	*app
	config config.Config
	input  string
	page   string
	modes  []string
	// formatChosen is whether the user said in which format to stage.
	formatChosen bool
	before       *contest.Calm // the card before the first row
}

func (c *comparison) run(ctx context.Context) error {
	if c.config.Talk.Quiet {
		c.talk.beQuiet()
	}
	if err := c.check(); err != nil {
		return err
	}
	info, why, err := c.rooms.device(string(c.config.Device.Want))
	if err != nil {
		return at(stageDevice, err)
	}
	c.talk.say("%s", why)
	rows, notes := contest.Entrants(c.modes, c.config.Budget.Emulate, info)
	var runs []report.Run
	for i, e := range rows {
		if err := c.calm(ctx, info); err != nil {
			return at(stageDevice, err)
		}
		r, err := c.row(ctx, e)
		if err != nil {
			return err
		}
		c.talk.say("%d of %d: %s: %s", i+1, len(rows), e.Name(), contest.Ended(r))
		runs = append(runs, *r)
	}
	return c.publish(runs, append(notes, contest.Remarks(runs, c.formatChosen)...), why)
}

// calm waits for what the row before has freed, where that comes back late. The first time it measures.
func (c *comparison) calm(ctx context.Context, info gpu.Info) (err error) {
	if info.Kind != gpu.CUDA {
		return nil
	}
	if c.before == nil {
		c.before, err = contest.NewCalm(openDevice, string(c.config.Device.Want))
		return err
	}
	return c.before.Told(ctx, c.talk.say)
}

func (c *comparison) check() error {
	switch {
	case decode.IsStdin(c.input):
		return usage("name a file", "compare reads its input several times, which standard input does not allow")
	case sameFile(c.input, c.page):
		return usage("choose another name", "--report would replace the input %s", c.input)
	}
	if err := cli.CheckResults(c.page, string(c.config.Talk.JSON)); err != nil {
		return err
	}
	j := &job{Config: c.config, input: c.input, output: outputNull}
	return c.app.check(j)
}

// row runs one entrant. Running out of memory and lost frames are results; anything else ends the
// comparison.
func (c *comparison) row(ctx context.Context, e contest.Entrant) (*report.Run, error) {
	conf := e.Settings(c.config, c.formatChosen)
	j := &job{Config: conf, input: c.input, output: outputNull, talk: newTalk(io.Discard), measure: true,
		report: newReport(conf, outputNull)}
	j.report.InputPath = &c.input
	err := alone(ctx, j, c.rooms.prepare(conf, 1, j.talk))
	finish(j.report, err)
	switch exitCode(err) {
	case exitDone, exitMemory, exitLost:
		return j.report, nil
	case exitOther, exitDevice:
		if errors.Is(err, gpu.ErrUnsupported) {
			return j.report, nil // such as managed memory that this device has not
		}
	}
	return nil, err
}

// publish prints the comparison in all forms that are wanted.
func (c *comparison) publish(runs []report.Run, notes []string, device string) error {
	p := contest.Publication{Program: "pinring", Version: version(), Out: c.out, Say: c.talk.say, Page: c.page,
		Config: c.config, Environment: contest.Platform(strings.TrimPrefix(device, "device: "))}
	for _, l := range c.rooms.libraries() {
		p.Environment = append(p.Environment, report.Fact{Name: l.Name, Value: l.Version})
	}
	return p.Print(runs, notes)
}
