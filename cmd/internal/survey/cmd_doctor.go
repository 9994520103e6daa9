package survey

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/probe"
	"github.com/pinring/pinring/report"
)

func (p *Program) doctorCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor [flags]",
		Short: "Look at this machine and say what to set",
		Long: `Looks at system, driver, card and limits, a line for each, with what to do about it, and
writes the settings that this machine suggests. Nothing is allocated on the card, and nothing
is changed. Every question has a deadline. The exit code is 0 whatever is found; --json has
the levels.`,
		Example: fmt.Sprintf("  %[1]s doctor\n  %[1]s doctor --json - | jq '.checks[] | select(.level != \"ok\")'", p.Name),
		Args:    none(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := p.load(cmd)
			if err != nil {
				return err
			}
			if err := cli.CheckResults("", s.json); err != nil {
				return err
			}
			return p.examine(cmd.Context(), s)
		},
	}
	flags(cmd, "json", "quiet")
	return cmd
}

func (p *Program) examine(ctx context.Context, s *settings) error {
	x := probe.Examine(ctx, p.system(), probe.DefaultDeadline)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	d := &report.Doctor{Version: p.Version, Created: now(), Verdict: x.Verdict(), Checks: []report.Check{}}
	for _, f := range x.Findings {
		c := report.Check{Name: f.Name, Level: [...]string{report.LevelOK, report.LevelWarning, report.LevelProblem}[f.Level], Text: f.Text}
		if f.Advice != "" {
			c.Advice = &f.Advice
		}
		d.Checks = append(d.Checks, c)
	}
	if len(x.Settings) > 0 {
		d.Recommended = &report.Recommended{File: probe.File(x.Settings)}
		for _, set := range x.Settings {
			d.Recommended.Reasons = append(d.Recommended.Reasons, set.Key+": "+set.Why)
		}
	}
	return p.publish(s, "", forms(d, report.Text{}.PrintDoctor, report.JSON{}.PrintDoctor, nil))
}
