package probe

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/pinring/pinring/budget"
)

// known is the system with what several checks need, asked once.
type known struct {
	*System
	devices int
	cuda    error
	driver  *Driver
	nvml    error
	limits  budget.HostLimits
	noHost  error
	pci     []string // addresses of NVIDIA's cards that the system lists
}

var (
	errNotAsked = errors.New("not asked for on this system")
	errNoAnswer = errors.New("no answer in time")
)

// learn asks what several checks need, each question within half of the deadline.
func learn(ctx context.Context, s *System, deadline time.Duration) *known {
	k := &known{System: s}
	wait := deadline / 2
	cuda := ask(s.CUDA)
	driver := ask(s.Driver)
	host := ask(s.Host)
	k.devices, k.cuda = answer(ctx, cuda, wait)
	k.driver, k.nvml = answer(ctx, driver, wait)
	k.limits, k.noHost = answer(ctx, host, wait)
	if k.nvml == nil && k.driver == nil {
		k.nvml = errNotAsked
	}
	if s.Files != nil {
		k.pci = nvidiaCards(s.Files)
	}
	return k
}

type answered[T any] struct {
	value T
	err   error
}

// ask asks in a goroutine: drivers have been seen to hang.
func ask[T any](f func() (T, error)) <-chan answered[T] {
	c := make(chan answered[T], 1)
	if f == nil {
		c <- answered[T]{err: errNotAsked}
		return c
	}
	go func() {
		v, err := f()
		c <- answered[T]{v, err}
	}()
	return c
}

func answer[T any](ctx context.Context, c <-chan answered[T], wait time.Duration) (T, error) {
	t := time.NewTimer(wait)
	defer t.Stop()
	var zero T
	select {
	case a := <-c:
		return a.value, a.err
	case <-t.C:
		return zero, errNoAnswer
	case <-ctx.Done():
		return zero, context.Cause(ctx)
	}
}

// usable reports whether programs, and this one among them, can use a card.
func (k *known) usable() bool { return k.shown() && k.Lacks == nil }

// shown reports whether the driver shows a card to programs.
func (k *known) shown() bool { return k.cuda == nil && k.devices > 0 }

// hardware reports whether there is a card, usable or not.
func (k *known) hardware() bool {
	return k.shown() || len(k.pci) > 0 || k.driver != nil && len(k.driver.Cards) > 0
}

// cards are the cards that the management library knows.
func (k *known) cards() []Card {
	if k.driver == nil {
		return nil
	}
	return k.driver.Cards
}

// model is who manages the first card's memory.
func (k *known) model() budget.DriverModel {
	if k.wsl() {
		return budget.ModelWSL2
	}
	if c := k.cards(); len(c) > 0 {
		return c[0].Model
	}
	if k.OS == "linux" {
		return budget.ModelLinux
	}
	return budget.ModelUnknown
}

// wsl reports whether this Linux runs inside Windows: the device node is there and nowhere else.
func (k *known) wsl() bool { return k.exists("dev/dxg") }

func (k *known) exists(name string) bool {
	if k.Files == nil {
		return false
	}
	_, err := fs.Stat(k.Files, name)
	return err == nil
}

// text is the content of a file, "" without it.
func (k *known) text(name string) string {
	if k.Files == nil {
		return ""
	}
	b, err := fs.ReadFile(k.Files, name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

func (k *known) env(name string) string {
	if k.Env == nil {
		return ""
	}
	value, _ := k.Env(name)
	return value
}

// nvidiaCards finds NVIDIA's display and 3D controllers among the PCI devices.
func nvidiaCards(files fs.FS) (out []string) {
	const dir = "sys/bus/pci/devices"
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		read := func(name string) string {
			b, _ := fs.ReadFile(files, path.Join(dir, e.Name(), name))
			return strings.TrimSpace(string(b))
		}
		if read("vendor") == "0x10de" && strings.HasPrefix(read("class"), "0x03") {
			out = append(out, e.Name())
		}
	}
	return out
}

// major is the first number of a version, 0 when there is none.
func major(version string) int {
	head, _, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(head)
	if err != nil {
		return 0
	}
	return n
}
