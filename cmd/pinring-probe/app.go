package main

import (
	"context"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/cmd/internal/survey"
)

const program = "pinring-probe"

// app is one invocation of the program.
type app struct {
	in       io.Reader
	out, err io.Writer
	talk     *cli.Talk
}

func newApp(in io.Reader, out, err io.Writer) *app {
	return &app{in: in, out: out, err: err, talk: cli.NewTalk(program, err)}
}

// main runs one command line and returns the exit code.
func (a *app) main(args []string) int {
	ctx, stop := cli.Interruptible(context.Background(), a.talk.Say, os.Exit)
	defer stop()
	out := cli.NewOut(a.out)
	a.out = out
	root := a.rootCommand()
	root.SetArgs(args)
	err := out.Judge(root.ExecuteContext(ctx))
	if err != nil {
		a.talk.Fail(err)
	}
	return cli.ExitCode(err)
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   program,
		Short: "See what page-locked memory does to this machine, and what a ring does about it",
		Long: `pinring-probe works on an NVIDIA GPU without FFmpeg: its frames are synthetic, or come as y4m
on standard input. It does not decode or encode; pinring, on Linux, does.`,
		Example: `  pinring-probe compare --report compare.html
  pinring-probe probe
  pinring-probe doctor
  pinring-probe compare --frames 900 --modes reuse,churn
  ffmpeg -i in.mp4 -frames:v 16 -f yuv4mpegpipe - | pinring-probe compare -`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return cli.Usage(program+" help lists the commands", "unknown command %q", args[0])
		},
		Version:           version(),
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetFlagErrorFunc(cli.FlagError)
	root.AddCommand(survey.Commands(&survey.Program{Name: program, Version: version(), Out: a.out,
		Say: a.talk.Say, Quiet: a.talk.BeQuiet, Device: openDevice})...)
	root.AddCommand(a.compareCommand())
	return root
}

// stamped is set by the linker.
var stamped string

// version is what a bug report should say.
func version() string {
	if stamped != "" {
		return stamped
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "devel"
}
