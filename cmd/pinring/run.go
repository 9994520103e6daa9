package main

import "context"

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
	if err := at(stageInput, way.openSource(ctx)); err != nil {
		return err
	}
	if err := at(stageOutput, way.openSink(ctx)); err != nil {
		return err
	}
	j.announce()
	j.progress = newProgress(j.terminal(), j.talk)
	defer j.progress.stop()
	return at(stageProcess, way.process(ctx))
}
