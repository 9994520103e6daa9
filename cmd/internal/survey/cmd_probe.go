package survey

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/probe"
	"github.com/pinring/pinring/report"
)

// probing is one probe command.
type probing struct {
	*Program
	*settings
	sizes, kinds   string
	baseline, page string
	frames         int64
	rate           int
	bytes          string

	plan plan
	then *report.Probe
}

// plan is what the command line comes to.
type plan struct {
	sizes []int64
	kinds []gpu.HostKind
	churn probe.ChurnOptions
}

func (p *Program) probeCommand() *cobra.Command {
	c := &probing{Program: p}
	cmd := &cobra.Command{
		Use:   "probe [flags]",
		Short: "Measure what page-locked memory does to this machine",
		Long: `Allocates host memory of several sizes and kinds, reads every meter before, during and
after, and watches for up to a minute until the memory has come back. Then it reuses three
buffers for some hundred frames, and allocates and frees one for each frame, as the program
did whose failure this project began with. It says which memory pinned memory is charged to
here, at what ratio, how late it comes back, and what that means for a ring of buffers.

No more than a third of the host's free memory is ever taken. An interrupt frees everything.
With --emulate the same runs on an emulated card, on a clock that passes without waiting.`,
		Example: fmt.Sprintf(`  %[1]s probe --report probe.html --json probe.json
  %[1]s probe --sizes 64MiB,256MiB --kinds pinned,pageable
  %[1]s probe --baseline before-the-update.json
  %[1]s probe --emulate article-model,resident=0`, p.Name),
		Args: none(),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if c.settings, err = p.load(cmd); err != nil {
				return err
			}
			if err := cli.NotEmpty(cmd, "baseline", "report"); err != nil {
				return err
			}
			return c.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.sizes, "sizes", "128MiB,256MiB,512MiB,1GiB,2GiB", "sizes to allocate, a comma between them (`LIST`)")
	f.StringVar(&c.kinds, "kinds", "pinned,pageable,registered,managed,mapped", "kinds of memory, a comma between them (`LIST`)")
	f.Int64Var(&c.frames, "churn-frames", 300, "frames of the churn probe; 0 leaves it out (`N`)")
	f.IntVar(&c.rate, "churn-rate", 30, "frames a second (`N`)")
	f.StringVar(&c.bytes, "churn-bytes", fmt.Sprint(probe.FrameBytes), "size of the buffer for each frame (`BYTES`)")
	f.StringVar(&c.baseline, "baseline", "", "compare with an earlier probe's JSON `FILE`")
	f.StringVar(&c.page, "report", "", "write the result as one self-contained HTML `FILE`")
	flags(cmd, "device", "emulate", "force", "json", "quiet")
	return cmd
}

// none refuses arguments.
func none() cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usage("usage: "+cmd.UseLine(), "%s takes no argument, and got %s", cmd.Name(), strings.Join(args, " "))
		}
		return nil
	}
}

func (c *probing) run(ctx context.Context) error {
	if err := c.check(ctx); err != nil {
		return err
	}
	b, err := cli.Await(ctx, func() (*bench, error) { return c.open(c.settings, true) })
	if err != nil {
		return err
	}
	r := c.begin(b)
	if b.dev.Info().Unified {
		r.Conclude(c.then)
		return errors.Join(c.tell(r), b.close())
	}
	err = c.measure(ctx, b, r)
	r.Interrupted = ctx.Err() != nil
	r.Conclude(c.then)
	if told := c.tell(r); err == nil {
		err = told
	}
	return errors.Join(err, b.close())
}

// check reads the command line and the baseline.
func (c *probing) check(ctx context.Context) (err error) {
	if err := cli.CheckResults(c.page, c.json); err != nil {
		return err
	}
	if c.plan, err = c.planned(); err != nil {
		return err
	}
	if c.baseline != "" {
		c.then, err = cli.Await(ctx, func() (*report.Probe, error) { return readProbe(c.baseline) })
	}
	return err
}

func (c *probing) planned() (p plan, err error) {
	for s := range strings.SplitSeq(c.sizes, ",") {
		n, err := budget.ParseBytes(strings.TrimSpace(s))
		if err != nil || n < 1<<12 || n > 1<<40 {
			return p, usage("sizes such as 128MiB,1GiB; 4KiB and more", "--sizes: %q is not a size that can be tried", s)
		}
		p.sizes = append(p.sizes, n)
	}
	for s := range strings.SplitSeq(c.kinds, ",") {
		k, err := parseKind(strings.TrimSpace(s))
		if err != nil {
			return p, err
		}
		p.kinds = append(p.kinds, k)
	}
	n, err := budget.ParseBytes(c.bytes)
	switch {
	case err != nil || n < 1 || n > 1<<30:
		return p, usage("up to 1GiB", "--churn-bytes: %q is not a size of a buffer", c.bytes)
	case c.frames < 0 || c.frames > 1_000_000:
		return p, usage("0 to 1000000", "--churn-frames: %d", c.frames)
	case c.rate < 1 || c.rate > 10_000:
		return p, usage("1 to 10000", "--churn-rate: %d", c.rate)
	}
	p.churn = probe.ChurnOptions{Bytes: int(n), Frames: c.frames, Rate: c.rate}
	return p, nil
}

func parseKind(name string) (gpu.HostKind, error) {
	var names []string
	for k := range gpu.HostKind(gpu.NumHostKinds) {
		if k.String() == name {
			return k, nil
		}
		names = append(names, k.String())
	}
	return 0, usage("there are "+strings.Join(names, ", "), "--kinds: no kind of memory is called %q", name)
}

// mostBaseline is far more than a probe writes, and little enough to be read: the file may be anything.
const mostBaseline = 64 << 20

// readProbe reads an earlier result.
func readProbe(name string) (*report.Probe, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, unreadable("", "--baseline: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostBaseline+1))
	if err != nil {
		return nil, unreadable("", "--baseline: %w", err)
	}
	if len(text) > mostBaseline {
		return nil, unreadable("make one with probe --json FILE", "--baseline: %s is no result of probe: it has more than 64 MiB", name)
	}
	var p report.Probe
	if err := json.Unmarshal(text, &p); err != nil {
		return nil, unreadable("make one with probe --json FILE", "--baseline: %s is no result of probe: %w", name, err)
	}
	if p.Schema != report.Schema || p.Sources == nil {
		return nil, unreadable("make one with probe --json FILE", "--baseline: %s is no result of probe", name)
	}
	if err := p.Check(); err != nil {
		return nil, unreadable("make one with probe --json FILE", "--baseline: %s is no result of probe: %w", name, err)
	}
	return &p, nil
}

// begin is the result before anything is measured.
func (c *probing) begin(b *bench) *report.Probe {
	r := &report.Probe{Version: c.Version, Command: c.commandLine(), Created: now(), Device: b.device(), Emulated: b.card != nil, Emulation: b.emulation(),
		Environment: c.facts(b), Missing: b.missing(), Rows: []report.ProbeRow{}}
	if b.card != nil {
		r.NotModelled = wddm.NotModelled()
	}
	return r
}

func (c *probing) tell(r *report.Probe) error {
	return c.publish(c.settings, c.page, forms(r, report.Text{}.PrintProbe, report.JSON{}.PrintProbe, report.HTML{}.PrintProbe))
}
