package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/cmd/internal/contest"
	"github.com/pinring/pinring/cmd/internal/tally"
	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/report"
)

// batch is several inputs on their way, some at once, with one depot.
type batch struct {
	*app
	config config.Config
	tasks  []task
	jobs   int
	depot  depot
	runs   []report.Run // one for each task; each is written by its worker only
	errs   []error      // the same
	total  *progress    // of all inputs; nil without a terminal

	mu    sync.Mutex
	next  int
	later []int  // inputs whose outputs another run was writing; looked at again after all others
	left  []bool // for each task, whether it ever was among these
	ended bool   // no further input is started
	done  int
}

// batchError ends a batch in which not all went well. What went wrong has been said.
type batchError struct {
	code    int
	message string
}

func (e *batchError) Error() string { return e.message }

// runBatch processes the tasks and tells how each ended.
func (a *app) runBatch(ctx context.Context, c config.Config, tasks []task) error {
	b := &batch{app: a, config: c, tasks: tasks, jobs: min(int(c.Batch.Jobs), len(tasks)),
		runs: make([]report.Run, len(tasks)), errs: make([]error, len(tasks)), left: make([]bool, len(tasks))}
	began := time.Now()
	for i, t := range tasks {
		b.runs[i] = notStarted(c, t)
	}
	b.depot = a.rooms.prepare(c, b.jobs, a.talk)
	err := b.travel(ctx)
	if exitCode(err) == exitUsage {
		return err // nothing was done
	}
	return b.conclude(ctx, err, time.Since(began))
}

// notStarted is the report of an input until it is begun.
func notStarted(c config.Config, t task) report.Run {
	r := *newReport(c, t.output)
	r.InputPath, r.Outcome, r.ExitCode = &t.input, report.NotStarted, exitInterrupted
	return r
}

// travel opens the depot and sends the inputs on their ways. Its error is that of the depot.
func (b *batch) travel(ctx context.Context) (err error) {
	defer func() { err = closing(b.talk, err, b.depot.close()) }()
	if err := b.depot.open(ctx, false); err != nil {
		return err
	}
	j := job{Config: b.config}
	b.total = newProgress(j.terminal(), b.talk, nil)
	if b.total != nil {
		b.total.heading = b.heading
	}
	defer b.total.stop()
	var workers sync.WaitGroup
	for range b.jobs {
		workers.Go(func() {
			for i := b.take(ctx); i >= 0; i = b.take(ctx) {
				b.process(ctx, i)
			}
		})
	}
	workers.Wait()
	return nil
}

// take gives the next input that is to be started, -1 when none is.
func (b *batch) take(ctx context.Context) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended || ctx.Err() != nil {
		return -1
	}
	if b.next < len(b.tasks) {
		b.next++
		return b.next - 1
	}
	return b.takeLater()
}

// process does one input and decides whether others may follow.
func (b *batch) process(ctx context.Context, i int) {
	t := b.talk.about(fmt.Sprintf("%d/%d", i+1, len(b.tasks)))
	j := &job{Config: b.config, input: b.tasks[i].input, output: b.tasks[i].output, talk: t, report: &b.runs[i], resumable: true}
	if b.total != nil {
		j.progress = b.total.child()
	}
	var err error
	if b.wasLeft(i) {
		err = awaitOther(ctx, b.tasks[i], t)
	}
	if err == nil {
		err = b.one(ctx, j, b.tasks[i])
	}
	if bool(b.config.Batch.SkipExisting) && errors.Is(err, encode.ErrBusy) {
		b.postpone(i)
		return
	}
	switch {
	case errors.Is(err, errSkipped):
		j.report.Outcome, j.report.ExitCode = report.Skipped, exitDone
		t.say("%s: skipped, %s exists", j.input, j.output)
		err = nil
	case err != nil:
		finish(j.report, err)
		t.fail(err)
	default:
		finish(j.report, nil)
		t.say("%s: %s", j.input, contest.Ended(j.report))
	}
	j.report.Series = report.Thin(j.report.Series, max(tally.MostSamples/len(b.tasks), 20)) // a batch is no larger than a run
	b.errs[i] = err
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done++
	b.ended = b.ended || gpu.Poisoned(err) || err != nil && bool(b.config.Batch.FailFast)
}

// errSkipped says that the output is there already.
var errSkipped = errors.New("skipped: the output exists")

// one is an input's journey, from the look whether it is needed.
func (b *batch) one(ctx context.Context, j *job, t task) error {
	if err := prepareOutput(b.config, t); err != nil {
		return err
	}
	if j.output == outputMD5 {
		fmt.Fprintf(b.out, "#input: %s\n", cli.Printable(j.input))
	}
	b.depot.describe(j.report)
	err := travel(ctx, j, b.depot.begin(j), func() error { return nil })
	if bool(b.config.Batch.SkipExisting) && errors.Is(err, encode.ErrExists) {
		return errSkipped // another process has made it meanwhile
	}
	return err
}

// prepareOutput looks whether the output is there, and makes its folder.
func prepareOutput(c config.Config, t task) error {
	file := t.path()
	if file == "" {
		return nil
	}
	if bool(c.Batch.SkipExisting) && encode.Exists(file, int(c.Output.StartNumber)) {
		return errSkipped
	}
	if t.makes {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return at(stageOutput, fmt.Errorf("the folder of %s cannot be made: %w", file, err))
		}
	}
	return nil
}

// heading is how far the batch is, for the progress line.
func (b *batch) heading() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return fmt.Sprintf("%d of %d inputs", b.done, len(b.tasks))
}

// conclude tells how the inputs ended, and gives the worst of their ends.
func (b *batch) conclude(ctx context.Context, depotErr error, took time.Duration) error {
	code := exitCode(depotErr)
	for i := range b.runs {
		code = worse(code, exitCode(b.errs[i]))
	}
	if ctx.Err() != nil {
		code = exitInterrupted
	}
	for i := range b.runs {
		if r := &b.runs[i]; r.Outcome == report.NotStarted {
			b.depot.describe(r)
			r.ExitCode = code
		}
	}
	res := report.NewBatch(version(), b.runs)
	seconds := took.Seconds()
	res.ExitCode, res.Outcome, res.Jobs, res.Seconds = code, outcomeOf(code), b.jobs, &seconds
	if depotErr != nil {
		var r report.Run
		finish(&r, depotErr)
		res.Error = r.Error
	}
	failed := b.publishBatch(res)
	switch {
	case depotErr != nil:
		return depotErr
	case code != exitDone:
		return &batchError{code, res.Verdict}
	}
	return failed
}
