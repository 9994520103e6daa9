package main

import (
	"context"

	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/report"
)

// workshop is what the program's packages offer to its commands. wire.go joins the real ones;
// tests rehearse with a scripted one.
type workshop interface {
	// checkChain parses a filter chain; an error is the user's.
	checkChain(text string) error
	// filters lists the filters in a fixed order.
	filters() []filterInfo
	// libraries lists the versions of the FFmpeg libraries that the program runs with.
	libraries() []library
	// exports are the lines for a shell with which a program that imports ours is built for CUDA.
	exports() (string, error)
	// device opens a device, closes it again, and tells what it is and why it was taken.
	device(want string) (gpu.Info, string, error)
	// bench measures the device that c names and fills the result; say tells what is being done.
	bench(ctx context.Context, c config.Config, out *report.Bench, say func(string)) error
	// prepare is what the inputs of a process share, of which so many are processed at once. Nothing is
	// opened yet.
	prepare(c config.Config, jobs int, t *talk) depot
}

// depot is what all inputs of a process share: the device with the kernels on it, the meters and the
// guard, the limit on staging memory.
type depot interface {
	// open is called once. When it fails, no journey goes further than its input. ahead says that the
	// process ends with the depot, and allows the device's
	// context to be there later; that it cannot be had, a *gpu.NoContextError, may then be any step's error.
	open(_ context.Context, ahead bool) error
	// describe writes into a report what is known of the device, also when open failed.
	describe(*report.Run)
	// begin prepares a journey, also before open. Nothing of its own is opened yet. Several may go on at once.
	begin(*job) journey
	// close is always called, after all journeys are closed.
	close() error
}

// job is one input's run: what the user asked for, and what is learned on the way.
type job struct {
	config.Config
	input, output string
	talk          *talk
	progress      *progress
	resumable     bool        // may be run again for what is missing: a name means that the whole is there
	measure       bool        // a row of a comparison: loop short inputs, try the largest allocation
	report        *report.Run // each step fills in what it knows
}

// journey is the steps of a frame's way through the packages, in order. Each is called once; a
// failed step ends it. close is always called, and closes what was opened: sink, source, rings.
type journey interface {
	// openInput needs nothing of the depot, which may not be open yet.
	openInput(context.Context) error
	openStaging(context.Context) error
	openSource(context.Context) error
	openSink(context.Context) error
	// process moves the frames. When ctx is cancelled it delivers what is under way, completes the
	// output, and returns an error that wraps the cause. It ends with a *lostError when all else
	// went well but frames were lost.
	process(context.Context) error
	// live is what a person should know of the guard just now, a few words or none. Any goroutine,
	// while process runs.
	live() string
	close() error
}

// filterInfo describes a filter to people.
type filterInfo struct {
	Name    string         `json:"name"`
	Summary string         `json:"summary"`
	Notes   []string       `json:"notes,omitempty"`
	Options []filterOption `json:"options"`
}

type filterOption struct {
	Name    string   `json:"name"`
	Aliases []string `json:"aliases"`
	Type    string   `json:"type"`
	Default string   `json:"default"`
	Summary string   `json:"summary"`
}

// library is a library with its version.
type library struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}
