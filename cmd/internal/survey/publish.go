package survey

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// result is what a command has found, in its forms; html nil where there is none.
type result struct {
	text, json, html func(io.Writer) error
}

// publish writes the result: as text unless JSON takes standard output, to the files that are wanted.
func (p *Program) publish(s *settings, page string, r result) error {
	var errs []error
	if page != "" {
		if err := writeWhole(page, r.html); err != nil {
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
		if err := writeWhole(s.json, r.json); err != nil {
			errs = append(errs, fmt.Errorf("the result as JSON cannot be written: %w", err))
		}
	}
	if s.json != "-" && !s.quiet {
		errs = append(errs, r.text(p.Out))
	}
	if err := errors.Join(errs...); err != nil {
		return &StageError{Stage: "output", Err: err}
	}
	return nil
}

// writeWhole makes a file that is either complete or not there: it is written under another name.
// A name that is there and no regular file is written to as it is.
func writeWhole(name string, write func(io.Writer) error) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// checkFiles refuses names that cannot be meant, before anything is measured.
func checkFiles(s *settings, page string) error {
	switch {
	case page == "-":
		return usage("name a file", "--report writes a page, not to standard output")
	case page != "" && page == s.json:
		return usage("", "--report and --json name the same file, %s", page)
	}
	for _, name := range []string{page, s.json} {
		if name == "" || name == "-" {
			continue
		}
		if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
			return usage("", "%s: there is no folder %s", name, filepath.Dir(name))
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
func commandLine() *string {
	parts := make([]string, len(os.Args))
	for i, a := range os.Args {
		parts[i] = a
		if i == 0 {
			parts[i] = filepath.Base(a)
		}
		if strings.ContainsAny(parts[i], " \t\n\"'$&|;<>()*?[]#~`\\") || parts[i] == "" {
			parts[i] = "'" + strings.ReplaceAll(parts[i], "'", `'\''`) + "'"
		}
	}
	return ptr(strings.Join(parts, " "))
}
