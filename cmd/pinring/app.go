package main

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/cmd/internal/survey"
)

// app is one invocation of the program.
type app struct {
	out, err io.Writer
	talk     *talk
	rooms    workshop
}

func newApp(out, err io.Writer, rooms workshop) *app {
	return &app{out: out, err: err, talk: newTalk(err), rooms: rooms}
}

// main runs one command line and returns the exit code.
func (a *app) main(args []string) int {
	ctx, stop := interruptible(context.Background(), a.talk, os.Exit)
	defer stop()
	out := cli.NewOut(a.out)
	a.out = out
	root := a.rootCommand()
	root.SetArgs(args)
	err := out.Judge(root.ExecuteContext(ctx))
	if err != nil {
		a.talk.fail(err)
	}
	return exitCode(err)
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "pinring",
		Short: "Process video files on a GPU through a fixed ring of page-locked buffers",
		Long: `pinring decodes video straight into a fixed ring of page-locked buffers, runs a
filter chain on an NVIDIA GPU or on the CPU, and encodes the result.`,
		Example: `  pinring run in.mp4 -o out.mp4 -f "scale=1280:720"
  pinring run in.mp4                        # decode and filter only, and tell the speed
  pinring run in.mp4 -o md5: --quiet        # checksums of the frames
  pinring filters scale
  pinring config`,
		Args:              cobra.ArbitraryArgs,
		RunE:              a.noCommand,
		Version:           version(),
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetFlagErrorFunc(cli.FlagError)
	root.AddCommand(a.runCommand(), a.compareCommand(), a.benchCommand(), a.filtersCommand(), a.configCommand(), a.envCommand(), a.versionCommand())
	root.AddCommand(survey.Commands(a.survey())...)
	return root
}

// noCommand is what happens without a subcommand, or with one that does not exist.
func (a *app) noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	return unknownCommand(cmd, args[0])
}
