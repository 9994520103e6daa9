package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pinring/pinring/budget/wddm"
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
			loaded, err := config.Load(cmd.Flags())
			if err != nil {
				return err
			}
			m, err := parseModes(modes)
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
	rows, notes := entrants(c.modes, c.config.Budget.Emulate, info)
	var runs []report.Run
	for i, e := range rows {
		r, err := c.row(ctx, e)
		if err != nil {
			return err
		}
		c.talk.say("%d of %d: %s: %s", i+1, len(rows), e.name(), ended(r))
		runs = append(runs, *r)
	}
	return c.publish(runs, append(notes, c.remarks(runs)...), why)
}

// remarks say what a reader of the figures should know.
func (c *comparison) remarks(runs []report.Run) (notes []string) {
	for i := range runs {
		if runs[i].Emulated && !c.formatChosen {
			notes = append(notes, "Emulated rows stage pictures as rgb24, as the program did whose failure they show (6,220,800 bytes for 1080p); --staging-format chooses.")
			break
		}
	}
	for i := range runs {
		if e := runs[i].Emulation; e != nil && e.Clock == "media" && runs[i].Budget != nil && runs[i].Budget.ThrottledSeconds > 0 {
			return append(notes, "Frames per second count real time. What the guard waited on the media clock is not in them, but in \"guard waited\".")
		}
	}
	return notes
}

func (c *comparison) check() error {
	switch {
	case decode.IsStdin(c.input):
		return usage("name a file", "compare reads its input several times, which standard input does not allow")
	case c.page == "-":
		return usage("name a file", "--report writes a page, not to standard output")
	case c.page != "" && c.page == string(c.config.Talk.JSON):
		return usage("", "--report and --json name the same file, %s", c.page)
	case sameFile(c.input, c.page):
		return usage("choose another name", "--report would replace the input %s", c.input)
	}
	if err := writable(c.page); err != nil {
		return usage("", "--report: %s", err)
	}
	j := &job{Config: c.config, input: c.input, output: outputNull}
	return c.app.check(j)
}

// row runs one entrant. Running out of memory and lost frames are results; anything else ends the
// comparison.
func (c *comparison) row(ctx context.Context, e entrant) (*report.Run, error) {
	conf := e.settings(c.config, c.formatChosen)
	j := &job{Config: conf, input: c.input, output: outputNull, talk: &talk{w: io.Discard}, measure: true,
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

// ended says in a few words how a row ended.
func ended(r *report.Run) string {
	if r.Error != nil {
		return r.Error.Message
	}
	if r.Frames == nil || r.FPS == nil {
		return string(r.Outcome)
	}
	return fmt.Sprintf("%d frames, %.0f fps", r.Frames.Delivered, *r.FPS)
}

// publish prints the comparison in all forms that are wanted.
func (c *comparison) publish(runs []report.Run, notes []string, device string) error {
	r := report.NewCompare(version(), runs)
	command := quoted(os.Args)
	created := time.Now().Format(time.RFC3339)
	r.Command, r.Created, r.Notes = &command, &created, notes
	r.Environment = c.environment(device)
	r.Emulates, r.NotModelled = emulation(runs)
	var errs []error
	if c.page != "" {
		err := writeWhole(c.page, func(w io.Writer) error { return report.HTML{}.PrintCompare(w, r) })
		if err != nil {
			errs = append(errs, at(stageOutput, fmt.Errorf("the report cannot be written: %w", err)))
		} else {
			c.talk.say("report: %s", c.page)
		}
	}
	j := c.config.Talk.JSON
	switch {
	case j == "-":
		errs = append(errs, at(stageOutput, report.JSON{}.PrintCompare(c.out, r)))
	case j != "":
		errs = append(errs, at(stageOutput, writeWhole(string(j), func(w io.Writer) error { return report.JSON{}.PrintCompare(w, r) })))
	}
	if j != "-" && !bool(c.config.Talk.Quiet) {
		errs = append(errs, at(stageOutput, report.Text{}.PrintCompare(c.out, r)))
	}
	return errors.Join(errs...)
}

func (c *comparison) environment(device string) []report.Fact {
	facts := []report.Fact{
		{Name: "system", Value: runtime.GOOS + "/" + runtime.GOARCH},
		{Name: "device", Value: strings.TrimPrefix(device, "device: ")},
		{Name: "cores", Value: fmt.Sprint(cores())},
	}
	for _, l := range c.rooms.libraries() {
		facts = append(facts, report.Fact{Name: l.Name, Value: l.Version})
	}
	return facts
}

// emulation says what the emulated rows played, and what they leave out.
func emulation(runs []report.Run) (plays, leaves []string) {
	seen := map[string]bool{}
	for i := range runs {
		if e := runs[i].Emulation; e != nil && !seen[e.Profile] {
			seen[e.Profile] = true
			plays = append(plays, profileSentence(e.Profile))
		}
	}
	if len(plays) > 0 {
		leaves = wddm.NotModelled()
	}
	return plays, leaves
}

func profileSentence(name string) string {
	for _, p := range wddm.Profiles() {
		if p.Params.Profile == name {
			return name + ": " + p.Summary
		}
	}
	return name
}

// quoted is a command line that a shell would read back.
func quoted(args []string) string {
	out := make([]string, len(args))
	for i, a := range args {
		if i == 0 {
			a = "pinring"
		}
		if a == "" || strings.ContainsAny(a, " \t\n'\"\\$`!*?[](){}<>|&;#~") {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		out[i] = a
	}
	return strings.Join(out, " ")
}
