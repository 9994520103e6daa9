package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/config"
)

// usage makes the error of a command line that means nothing, with a hint, which may be empty.
func usage(hint, format string, args ...any) error { return cli.Usage(hint, format, args...) }

// unknownCommand names the command that was probably meant; the name of a file means "run".
func unknownCommand(root *cobra.Command, name string) error {
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	hint := "pinring help lists the commands"
	if near := config.Nearest(name, names); near != "" {
		hint = fmt.Sprintf("the nearest command is %q", near)
	} else if _, err := os.Stat(name); err == nil {
		hint = "to process a file: pinring run " + name
	}
	return usage(hint, "unknown command %q", name)
}

// exactly makes a check of the number of arguments.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < n:
			return usage("usage: "+cmd.UseLine(), "%s needs %s", cmd.Name(), what)
		case len(args) > n:
			return usage("usage: "+cmd.UseLine(), "%s takes %s, and got %s", cmd.Name(), what, strings.Join(args, " "))
		}
		return nil
	}
}
