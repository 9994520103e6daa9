package main

import (
	"io"

	"github.com/spf13/cobra"
)

func (a *app) envCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "env",
		Short: "Print the exports with which programs that import pinring are built for CUDA",
		Long: `Prints lines for a shell. With them, a Go program that imports pinring's packages is
built with -tags cuda and needs no CUDA toolkit.`,
		Example: `  eval "$(pinring env)" && go build -tags cuda ./...`,
		Args:    exactly(0, "no argument"),
		RunE: func(*cobra.Command, []string) error {
			lines, err := a.rooms.exports()
			if err != nil {
				return at(stageConfig, err) // where it was called is what is wrong
			}
			_, err = io.WriteString(a.out, lines)
			return err
		},
	}
}
