package survey

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

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
