package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pinring/pinring/config"
)

// FlagError is a flag that means nothing, in words; it names the flag that was probably meant.
func FlagError(cmd *cobra.Command, err error) error {
	hint := cmd.CommandPath() + " --help lists the flags"
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		return Usage(wanted(f), "--%s: %q cannot be used", f.Name, invalid.GetValue())
	case !errors.As(err, &unknown):
		return Usage(hint, "%s", err)
	}
	name := unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		return Usage(hint, "unknown flag -%s", name)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := config.Nearest(name, names); near != "" {
		hint = "the nearest flag is --" + near
	}
	return Usage(hint, "unknown flag --%s", name)
}

// wanted says what a flag takes.
func wanted(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int", "int64":
		return "a whole number, such as 30"
	case "duration":
		return "a time, such as 100ms or 2s"
	}
	return "a value of the kind " + f.Value.Type()
}

// NotEmpty refuses flags that were given without a value, as by a shell's variable that is not set: they must
// not count as left out.
func NotEmpty(cmd *cobra.Command, flags ...string) error {
	for _, f := range flags {
		if x := cmd.Flags().Lookup(f); x.Changed && x.Value.String() == "" {
			return Usage("leave it out, or give it a value", "--%s is empty", f)
		}
	}
	return nil
}

// AtMost makes a check of the number of arguments.
func AtMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return Usage("usage: "+cmd.UseLine(), "%s got more than it can use: %s", cmd.Name(), strings.Join(args[n:], " "))
		}
		return nil
	}
}
