package main

import (
	"context"
	"time"
)

// travel is a run as the journey that it is. The job's report tells how far it got.
func travel(ctx context.Context, j *job, way journey) (err error) {
	defer func() {
		closed := way.close()
		if err == nil {
			err = at(stageDevice, closed)
		} else if closed != nil { // what went wrong on the way matters more
			j.talk.say("closing: %v", closed)
		}
	}()
	if err := at(stageDevice, way.openDevice(ctx)); err != nil {
		return err
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
	j.progress = newProgress(j.terminal(), j.talk, way.live)
	defer j.progress.stop()
	return at(stageProcess, way.process(ctx))
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
