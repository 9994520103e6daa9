package survey

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/pinring/pinring/cmd/internal/cli"
)

// result is what a command has found, in its forms; html nil where there is none.
type result struct {
	text, json, html func(io.Writer) error
}

// publish writes the result: as text unless JSON takes standard output, to the files that are wanted.
func (p *Program) publish(s *settings, page string, r result) error {
	var errs []error
	if page != "" {
		if err := cli.WriteWhole(page, r.html); err != nil {
			errs = append(errs, fmt.Errorf("the report cannot be written: %w", err))
		} else {
			p.Say("report: %s", page)
		}
	}
	switch s.json {
	case "":
	case "-":
		errs = append(errs, r.json(p.Out))
	default:
		if err := cli.WriteWhole(s.json, r.json); err != nil {
			errs = append(errs, fmt.Errorf("the result as JSON cannot be written: %w", err))
		}
	}
	if s.json != "-" && !s.quiet {
		errs = append(errs, r.text(p.Out))
	}
	if err := errors.Join(errs...); err != nil {
		return &cli.OutputError{Err: err}
	}
	return nil
}

// checkFiles refuses names that cannot be meant and files that cannot be written, before minutes are spent
// on measuring.
func checkFiles(s *settings, page string) error {
	switch {
	case page == "-":
		return usage("name a file", "--report writes a page, not to standard output")
	case page != "" && s.json != "-" && sameFile(page, s.json):
		return usage("", "--report and --json name the same file, %s", page)
	}
	for _, name := range []string{page, s.json} {
		if name == "" || name == "-" {
			continue
		}
		if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
			return usage("", "%s: there is no folder %s", name, filepath.Dir(name))
		}
		if err := cli.CanWrite(name); err != nil {
			return &cli.OutputError{Err: err}
		}
	}
	return nil
}

// sameFile reports whether two names lead to one file, whether it is there yet or not.
func sameFile(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	x, err := os.Stat(a)
	y, other := os.Stat(b)
	if err == nil && other == nil && os.SameFile(x, y) {
		return x.Mode().IsRegular() // /dev/null may be named twice
	}
	return whole(a) == whole(b) && err != nil
}

// whole is a name from the root on, with the folder's links followed.
func whole(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		name = abs
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		name = filepath.Join(dir, filepath.Base(name))
	}
	return name
}

// empty refuses flags that were given without a value, as by a shell's variable that is not set: they must
// not count as left out.
func empty(cmd *cobra.Command, flags ...string) error {
	for _, f := range flags {
		if x := cmd.Flags().Lookup(f); x.Changed && x.Value.String() == "" {
			return usage("leave it out, or give it a value", "--%s is empty", f)
		}
	}
	return nil
}

func ptr[T any](v T) *T { return &v }

func now() *string { return ptr(time.Now().Format(time.RFC3339)) }

// millis is a time in milliseconds, nil for none.
func millis(d time.Duration) *float64 {
	if d <= 0 {
		return nil
	}
	return ptr(float64(d) / 1e6)
}

// commandLine is the command line, as a shell would read it back.
func (p *Program) commandLine() *string { return ptr(cli.Quoted(p.Name, os.Args)) }
