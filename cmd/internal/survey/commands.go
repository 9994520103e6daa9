package survey

import (
	"errors"

	"github.com/spf13/cobra"
)

var errUnfinished = errors.New("not written yet")

func unfinished(*cobra.Command, []string) error { return errUnfinished }

func (p *Program) meminfoCommand() *cobra.Command {
	return &cobra.Command{Use: "meminfo [flags]", Short: "Print free, total and used memory, as every source tells it", RunE: unfinished}
}

func (p *Program) watchCommand() *cobra.Command {
	return &cobra.Command{Use: "watch (--pid N | -- CMD ARGS...)", Short: "Watch the memory over another program's life", RunE: unfinished}
}

func (p *Program) doctorCommand() *cobra.Command {
	return &cobra.Command{Use: "doctor [flags]", Short: "Look at this machine and say what to set", RunE: unfinished}
}
