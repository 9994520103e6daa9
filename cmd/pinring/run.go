package main

import (
	"context"
	"sync"
	"time"
)

// alone is a run with a depot of its own. The input is opened while the depot is.
func alone(ctx context.Context, j *job, d depot) (err error) {
	defer func() { err = closing(j.talk, err, d.close()) }()
	hurry := j.mayHurry()
	opened := ahead(func() error {
		err := d.open(ctx, hurry)
		d.describe(j.report)
		return err
	})
	if !hurry {
		if err := opened(); err != nil {
			return err
		}
	}
	return travel(ctx, j, d.begin(j), opened)
}

// ahead begins a step. What it returns waits for its end.
func ahead(step func() error) func() error {
	done := make(chan error, 1)
	go func() { done <- step() }()
	return sync.OnceValue(func() error { return <-done })
}

// mayHurry reports whether the journey may begin on a device that is not quite there. Not where the device's memory
// is the matter: Note [The card comes later].
func (j *job) mayHurry() bool {
	return !j.measure && j.Budget.Emulate == "" && j.Staging.Mode == "reuse"
}

// travel is a run as the journey that it is. The job's report tells how far it got. opened waits for the
// depot; its error goes before that of the input.
func travel(ctx context.Context, j *job, way journey, opened func() error) (err error) {
	defer func() { err = closing(j.talk, err, way.close()) }()
	failed := at(stageInput, patient(ctx, way.openInput))
	if err := opened(); err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	if err := at(stageStaging, way.openStaging(ctx)); err != nil {
		return err
	}
	if err := at(stageInput, patient(ctx, way.openSource)); err != nil {
		return err
	}
	if err := at(stageOutput, patient(ctx, way.openSink)); err != nil {
		return err
	}
	j.announce()
	if j.progress == nil {
		j.progress = newProgress(j.terminal(), j.talk, way.live)
	}
	defer j.progress.stop()
	return at(stageProcess, way.process(ctx))
}

// closing is the error of something that has come to its end, and been closed. What went wrong on the
// way matters more.
func closing(t *talk, err, closed error) error {
	if err == nil {
		return at(stageDevice, closed)
	}
	if closed != nil {
		t.say("closing: %v", closed)
	}
	return err
}

// patient runs a step that may block in the system for ever, as opening a pipe does that nobody
// holds at the other end. When ctx ends it returns: the step is left behind, and with it whatever it
// would have opened.
func patient(ctx context.Context, step func(context.Context) error) error {
	done := make(chan error, 1)
	go func() { done <- step(ctx) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select { // it may just have come to an end, too, and knows better why
	case err := <-done:
		return err
	case <-time.After(gracePeriod):
		return context.Cause(ctx)
	}
}

// gracePeriod is how long a step may take to notice that its context has ended.
const gracePeriod = time.Second
