// Guard puts nothing but pinring's budget guard into a program that allocates page-locked memory for
// each picture. An emulated 8 GB Windows card stands in for the real one, and its media clock for the
// time, so that what is printed is the same on every machine:
//
//	go run .
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cpu"
)

// A picture is 1920 × 1080 pixels of 3 bytes.
const picture = 1920 * 1080 * 3

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "guard:", err)
		os.Exit(1)
	}
}

// run tells three stories.
func run(ctx context.Context, out io.Writer) error {
	for _, s := range []struct {
		title, card string
		guarded     bool
	}{
		{"no guard: what was freed is not back yet, until nothing is left", "article-video", false},
		{"the same with the guard", "article-video", true},
		{"the guard, and another program that takes 1.35 GB for ten seconds", "article-model,reclaim=1s,pressure=1.35GB@2s+10s", true},
	} {
		fmt.Fprintf(out, "== %s\n", s.title)
		if err := story(ctx, out, s.card, s.guarded); err != nil {
			return err
		}
	}
	return nil
}

// story sends pictures through a card until they are done or memory is.
func story(ctx context.Context, out io.Writer, card string, guarded bool) (err error) {
	p, err := wddm.Parse(card)
	if err != nil {
		return err
	}
	dev, err := cpu.Open(cpu.Options{})
	if err != nil {
		return err
	}
	c, err := wddm.Emulate(dev, p, wddm.Options{})
	if err != nil {
		return errors.Join(err, dev.Close())
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	c.Start(30, 1) // the set-up is over; 30 pictures a second

	guard, err := newGuard(c, guarded)
	if err != nil {
		return err
	}
	const pictures = 450
	for n := range int64(pictures) {
		err := one(ctx, c, guard, n)
		var why *wddm.Refusal
		if errors.As(err, &why) {
			fmt.Fprintf(out, "picture %d of %d: %v\n", n, pictures, why)
			return nil
		}
		if err != nil {
			return fmt.Errorf("picture %d: %w", n, err)
		}
	}
	report(out, guard.Summary(), c)
	return nil
}

// newGuard makes a guard that reads one meter. A program on a real card attaches the meters that it
// has: budget/nvml, budget/host, or a [budget.Meter] of its own, and gives it
// budget.NewWall() for a clock. A logger in place of nil gets each transition as it happens.
func newGuard(c *wddm.Card, on bool) (*budget.Guard, error) {
	cfg := budget.DefaultConfig()
	if !on {
		cfg.Mode = budget.Off
	}
	panel := budget.NewPanel()
	panel.Attach(c, 0) // the emulated card is a meter, and is asked for each picture
	return budget.NewGuard(cfg, panel, c, nil)
}

// one is what the program does for a picture. The guard needs three calls.
func one(ctx context.Context, dev gpu.Device, guard *budget.Guard, n int64) error {
	if err := guard.Admit(ctx, n, picture); err != nil { // may wait
		return err
	}
	defer guard.Done(n)
	buf, err := dev.AllocHost(picture, gpu.Pinned)
	if err != nil {
		return err
	}
	guard.Allocated(n)
	// … the picture would be decoded into buf.Ptr(), and copied to the card …
	return buf.Free()
}

// report prints what the guard did.
func report(out io.Writer, s budget.Summary, c *wddm.Card) {
	var from budget.Phase
	for _, t := range s.Transitions {
		fmt.Fprintf(out, "%6.2f s, picture %3d: %-8s → %-8s %10s left; %s\n",
			t.At.Seconds(), t.Frame, from, t.To, budget.FormatBytes(t.Headroom), t.Why)
		from = t.To
	}
	fmt.Fprintf(out, "%d pictures in %.2f s, %.2f s of them waiting; at least %s were left, at picture %d\n", s.Frames,
		c.Now().Round(time.Millisecond).Seconds(), s.Throttled.Seconds(), budget.FormatBytes(s.Limiting.Headroom), s.LowestAt)
}
