package survey

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/probe"
	"github.com/pinring/pinring/report"
)

// watching is one watch command.
type watching struct {
	*Program
	*settings
	pid   int
	every time.Duration
	page  string
}

func (p *Program) watchCommand() *cobra.Command {
	c := &watching{Program: p}
	cmd := &cobra.Command{
		Use:   "watch (--pid N | -- CMD ARGS...) [flags]",
		Short: "Watch the memory over another program's life",
		Long: `Starts a command, or takes a process that runs already, and reads until it has ended what
the card and the host have in use, and what the process itself has in RAM, locked and pinned.
The card is asked from outside (NVML): no context is made on it, which would take memory of its
own. Signals go to the command, and its exit code becomes this program's (128 and the signal's
number when a signal ended it); a command that cannot be started is exit code 3. Ctrl-C reaches
both by itself, so an interrupt is not sent on at a terminal: use kill -TERM there. With --pid an
interrupt ends the watch, with exit code 0.`,
		Example: fmt.Sprintf(`  %[1]s watch --report watch.html -- python train.py
  %[1]s watch --pid 4242 --every 1s --json watch.json`, p.Name),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if c.settings, err = p.load(cmd); err != nil {
				return err
			}
			if err := cli.NotEmpty(cmd, "report"); err != nil {
				return err
			}
			if cmd.Flags().Changed("pid") && c.pid < 1 {
				return usage("", "--pid %d is no number of a process", c.pid)
			}
			return c.run(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.IntVar(&c.pid, "pid", 0, "watch the process with the number `N`")
	f.DurationVar(&c.every, "every", 100*time.Millisecond, "read each `TIME`")
	f.StringVar(&c.page, "report", "", "write the curves as one self-contained HTML `FILE`")
	flags(cmd, "json", "quiet")
	return cmd
}

func (c *watching) run(ctx context.Context, args []string) error {
	switch {
	case c.pid == 0 && len(args) == 0:
		return usage("watch -- CMD ARGS, or watch --pid N", "nothing is said that could be watched")
	case c.pid != 0 && len(args) > 0:
		return usage("leave one of them out", "--pid and a command exclude each other")
	case c.every < time.Millisecond:
		return usage("1ms and more", "--every %v is too often", c.every)
	}
	if err := cli.CheckResults(c.page, c.json); err != nil {
		return err
	}
	b, err := cli.Await(ctx, func() (*bench, error) { return c.open(c.settings, false) })
	if err != nil {
		return err
	}
	w := newCurves(b, c.every)
	if len(args) > 0 {
		err = c.command(args, w)
	} else {
		err = c.process(ctx, w)
	}
	var exit *cli.ExitError
	if err != nil && !errors.As(err, &exit) { // nothing ran that could be told of
		return errors.Join(err, b.close())
	}
	told := c.tell(b, w)
	if exit != nil { // the command failed: its code is what the caller waits for, whatever else is to be said
		exit.Err = told
		return exit
	}
	return told
}

// tell writes what was seen, and closes the bench.
func (c *watching) tell(b *bench, w *curves) error {
	r, silent := w.result(), w.silent()
	r.Version, r.Created, r.Missing = c.Version, now(), append(b.missing(), silent...)
	err := c.publish(c.settings, c.page, forms(r, report.Text{}.PrintWatch, report.JSON{}.PrintWatch, report.HTML{}.PrintWatch))
	if len(silent) > 0 { // closing would hang, too
		return err
	}
	return errors.Join(err, b.close())
}

// command starts the command and watches it to its end, which gives the exit code. The first signals
// are passed on, not obeyed: the command decides when it ends.
func (c *watching) command(args []string, w *curves) error {
	child := exec.Command(args[0], args[1:]...)
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	if c.json == "-" { // the result has standard output for itself
		child.Stdout = os.Stderr
	}
	w.read() // how it was before
	signals := catch()
	err := child.Start()
	signals.to(child.Process)
	defer signals.stop()
	if err != nil {
		return unreadable("", "the command cannot be started: %w", err)
	}
	w.program, w.pid = cli.Quoted(args[0], args), child.Process.Pid
	ended := make(chan error, 1)
	go func() { ended <- child.Wait() }()
	tick := time.NewTicker(c.every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			w.read()
		case err := <-ended:
			w.pid = 0 // the number may belong to another one by now
			w.read()
			w.pid = child.Process.Pid
			return w.ended(child, err)
		}
	}
}

// process watches a process that somebody else started, to its end or until interrupted.
func (c *watching) process(ctx context.Context, w *curves) error {
	if _, err := probe.ReadProcess(c.pid); err != nil {
		return unreadable("", "process %d: %w", c.pid, err)
	}
	w.program, w.pid = probe.ProcessName(c.pid), c.pid
	tick := time.NewTicker(c.every)
	defer tick.Stop()
	for w.read() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil // the user has seen enough: that is how one ends it
		}
	}
	return nil
}
