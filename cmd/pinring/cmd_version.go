package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// stamped is the version that the build writes here (-ldflags -X main.stamped=…).
var stamped string

// version is the stamped one, or else what the go command knows.
func version() string {
	if stamped != "" {
		return stamped
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// versions is everything that a bug report should say about the program.
type versions struct {
	Pinring      string    `json:"pinring"`
	Go           string    `json:"go"`
	Platform     string    `json:"platform"`
	Tags         string    `json:"tags"`
	FFmpeg       []library `json:"ffmpeg"`
	Dependencies []library `json:"dependencies"`
}

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version [--json]",
		Short:   "Print the versions of pinring, Go, FFmpeg and the dependencies",
		Example: "  pinring version",
		Args:    exactly(0, "no argument"),
		RunE: func(*cobra.Command, []string) error {
			v := a.versions()
			if asJSON {
				return writeJSON(a.out, v)
			}
			return v.text(a.out)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) versions() versions {
	v := versions{Pinring: version(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		FFmpeg: a.rooms.libraries(), Dependencies: []library{}}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if i := slices.IndexFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "-tags" }); i >= 0 {
		v.Tags = info.Settings[i].Value
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		v.Dependencies = append(v.Dependencies, library{m.Path, m.Version})
	}
	return v
}

func (v versions) text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "pinring %s\n%s %s\n", v.Pinring, v.Go, v.Platform)
	if v.Tags == "" {
		fmt.Fprintln(&b, "tags none (CPU device only)")
	} else {
		fmt.Fprintln(&b, "tags", v.Tags)
	}
	for _, l := range slices.Concat(v.FFmpeg, v.Dependencies) {
		fmt.Fprintln(&b, l.Name, l.Version)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
