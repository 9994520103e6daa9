package contest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/report"
)

// Publication is where a comparison goes, and what is said about it besides the rows.
type Publication struct {
	Program, Version string
	Out              io.Writer // for the table, and for JSON where that is wanted there
	Say              func(format string, args ...any)
	Page             string // an HTML file; empty: none
	Config           config.Config
	Environment      []report.Fact
}

// Print writes the comparison in all forms that are wanted. The errors are *cli.OutputError.
func (p *Publication) Print(runs []report.Run, notes []string) error {
	r := report.NewCompare(p.Version, runs)
	command := cli.Quoted(p.Program, os.Args)
	created := time.Now().Format(time.RFC3339)
	r.Command, r.Created, r.Notes, r.Environment = &command, &created, notes, p.Environment
	r.Emulates, r.NotModelled = emulation(runs)
	var errs []error
	fail := func(err error) {
		if err != nil {
			errs = append(errs, &cli.OutputError{Err: err})
		}
	}
	if p.Page != "" {
		if err := cli.WriteWhole(p.Page, func(w io.Writer) error { return report.HTML{}.PrintCompare(w, r) }); err != nil {
			fail(fmt.Errorf("the report cannot be written: %w", err))
		} else {
			p.Say("report: %s", p.Page)
		}
	}
	j := p.Config.Talk.JSON
	switch {
	case j == "-":
		fail(report.JSON{}.PrintCompare(p.Out, r))
	case j != "":
		fail(cli.WriteWhole(string(j), func(w io.Writer) error { return report.JSON{}.PrintCompare(w, r) }))
	}
	if j != "-" && !bool(p.Config.Talk.Quiet) {
		fail(report.Text{}.PrintCompare(p.Out, r))
	}
	return errors.Join(errs...)
}

// Remarks say what a reader of the figures should know.
func Remarks(runs []report.Run, formatChosen bool) (notes []string) {
	for i := range runs {
		if runs[i].Emulated && !formatChosen {
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

// Ended says in a few words how a row ended.
func Ended(r *report.Run) string {
	if r.Error != nil {
		return r.Error.Message
	}
	if r.Frames == nil || r.FPS == nil {
		return string(r.Outcome)
	}
	return fmt.Sprintf("%d frames, %.0f fps", r.Frames.Delivered, *r.FPS)
}

// Platform are the facts about a machine that every program can tell.
func Platform(device string) []report.Fact {
	return []report.Fact{
		{Name: "system", Value: runtime.GOOS + "/" + runtime.GOARCH},
		{Name: "device", Value: device},
		{Name: "cores", Value: fmt.Sprint(runtime.GOMAXPROCS(0))},
	}
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
