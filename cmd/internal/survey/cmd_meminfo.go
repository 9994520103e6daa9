package survey

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/probe"
	"github.com/pinring/pinring/report"
)

// reading is one meminfo command.
type reading struct {
	*Program
	*settings
	pin, tag string
	every    time.Duration
	start    time.Duration // on the bench's clock
	b        *bench
}

func (p *Program) meminfoCommand() *cobra.Command {
	c := &reading{Program: p}
	cmd := &cobra.Command{
		Use:   "meminfo [flags]",
		Short: "Print used, free and total memory, as each source tells it",
		Long: `Asks every source that there is here, and says where a person sees the same number
outside: nvidia-smi, Task Manager, free. Sources count differently, and here they are side by
side.

--pin allocates page-locked memory and prints all of it before, with it, after the free, and
once more when it is back, for which it waits up to a minute.`,
		Example: fmt.Sprintf(`  %[1]s meminfo
  %[1]s meminfo --pin 512MiB
  %[1]s meminfo --watch 1s --tag idle --json -
  %[1]s meminfo --pin 512MiB --emulate article-model`, p.Name),
		Args: none(),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if c.settings, err = p.load(cmd); err != nil {
				return err
			}
			if err := cli.NotEmpty(cmd, "pin"); err != nil {
				return err
			}
			if f := cmd.Flags(); f.Changed("watch") && c.every < time.Millisecond {
				return usage("1ms and more", "--watch %v is no time between readings", c.every)
			}
			return c.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.pin, "pin", "", "hold `BYTES` of page-locked memory between readings, such as 512MiB")
	f.StringVar(&c.tag, "tag", "", "mark the readings with a `WORD`")
	f.DurationVar(&c.every, "watch", 0, "read again each `TIME`, such as 1s, until interrupted; with --json one object a line")
	flags(cmd, "device", "emulate", "force", "json", "quiet")
	return cmd
}

func (c *reading) run(ctx context.Context) (err error) {
	pin := int64(0)
	if c.pin != "" {
		if pin, err = budget.ParseBytes(c.pin); err != nil || pin < 1 || pin > 1<<40 {
			return usage("a size such as 512MiB", "--pin: %q is not a size that can be pinned", c.pin)
		}
	}
	if pin > 0 && c.every > 0 {
		return usage("leave one of them out", "--watch and --pin exclude each other")
	}
	if err := cli.CheckResults("", c.json); err != nil {
		return err
	}
	look := c.openHost
	if pin > 0 { // needs a device
		look = func(s *settings) (*bench, error) { return c.open(s, true) }
	}
	if c.b, err = cli.Await(ctx, func() (*bench, error) { return look(c.settings) }); err != nil {
		return err
	}
	c.start = c.b.clock.Now()
	m := &report.Memory{Version: c.Version, Device: c.b.device(), Emulated: c.b.card != nil, Emulation: c.b.emulation(), Missing: c.b.missing()}
	switch {
	case c.every > 0:
		err = c.again(ctx, m)
	case pin > 0:
		err = errors.Join(c.pinned(ctx, m, pin), c.tell(m))
	default:
		c.read(m, c.tag)
		err = c.tell(m)
	}
	return errors.Join(err, c.b.close())
}

// read appends what all sources tell now.
func (c *reading) read(m *report.Memory, tag string) {
	got, err := budget.Read(c.b.meters...)
	if err != nil {
		c.Say("%v", err)
	}
	t := (c.b.clock.Now() - c.start).Seconds()
	for _, x := range got {
		r := report.MemoryReading{T: t, Source: source(x)}
		if tag != "" {
			r.Tag = &tag
		}
		m.Readings = append(m.Readings, r)
	}
}

func (c *reading) tell(m *report.Memory) error {
	return c.publish(c.settings, "", forms(m, report.Text{}.PrintMemory, report.JSON{}.PrintMemory, nil))
}

// again reads until it is interrupted, and prints each time.
func (c *reading) again(ctx context.Context, m *report.Memory) error {
	for {
		m.Readings = m.Readings[:0]
		c.read(m, c.tag)
		if err := c.tellLine(m); err != nil {
			return &cli.OutputError{Err: err}
		}
		t := time.NewTimer(c.every)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return context.Cause(ctx)
		}
	}
}

// tellLine prints a reading among many: JSON as one line.
func (c *reading) tellLine(m *report.Memory) error {
	switch c.json {
	case "":
		return report.Text{}.PrintMemory(c.Out, m)
	case "-":
		return lineOf(c.Out, m)
	}
	return cli.WriteWhole(c.json, func(w io.Writer) error { return report.JSON{}.PrintMemory(w, m) })
}

func lineOf(w io.Writer, m *report.Memory) error {
	out := *m
	out.Schema = report.Schema
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(&out)
}

// pinned reads before, with, and after pinned memory, and when it is back.
func (c *reading) pinned(ctx context.Context, m *report.Memory, bytes int64) error {
	tag := func(s string) string {
		if c.tag != "" {
			return c.tag + ": " + s
		}
		return s
	}
	if c.b.card != nil {
		c.b.card.Start(30, 1)
	}
	c.read(m, tag("before"))
	m.Pin = &report.MemoryPin{Bytes: bytes}
	hold := func(step probe.Step) { c.read(m, tag(step.String())) }
	traces, err := c.b.rig().Hold(ctx, gpu.Pinned, bytes, hold)
	if errors.Is(err, gpu.ErrOutOfMemory) {
		m.Pin.Error = ptr(err.Error())
		return err
	}
	if err != nil {
		return err
	}
	for i := range traces {
		switch t := &traces[i]; {
		case !t.Watched:
		case !t.Returned:
			m.Pin.ReturnedNot = true
		case m.Pin.ReturnedAfter == nil || *m.Pin.ReturnedAfter < float64(t.After)/1e6:
			m.Pin.ReturnedAfter = ptr(float64(t.After) / 1e6)
		}
	}
	return nil
}
