package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/report"
)

// rehearsal is a workshop whose journeys follow PINRING_TEST_FAIL, "step:kind".
type rehearsal struct{}

func (rehearsal) checkChain(text string) error {
	if strings.HasPrefix(text, "bad") {
		return errors.New("filter chain: nothing is called bad")
	}
	return nil
}

func (rehearsal) filters() []filterInfo {
	return []filterInfo{
		{Name: "negate", Summary: "turn light into dark"},
		{Name: "scale", Summary: "change the size", Options: []filterOption{{"width", []string{"w"}, "expression", "iw", "of the result"}, {"eval", nil, "int", "", "when"}}},
	}
}

func (rehearsal) libraries() []library     { return []library{{"libavcodec", "59.0.0"}} }
func (rehearsal) exports() (string, error) { return "export CGO_CFLAGS='-I/include'\n", nil }
func (rehearsal) device(string) (gpu.Info, string, error) {
	return gpu.Info{Kind: gpu.CPU, Unified: true}, "device: cpu (rehearsed)", nil
}
func (rehearsal) bench(context.Context, config.Config, *report.Bench, func(string)) error { return nil }
func (rehearsal) prepare(_ config.Config, _ int, t *talk) depot                           { return &rehearsedDepot{talk: t} }

type rehearsedDepot struct {
	talk   *talk
	device *report.Device
}

func (d *rehearsedDepot) open(ctx context.Context, _ bool) error {
	if err := act(ctx, "device"); err != nil {
		return at(stageDevice, err)
	}
	d.device = &report.Device{Kind: "cpu", Name: "rehearsal"}
	d.talk.say("device cpu: rehearsal")
	return nil
}
func (d *rehearsedDepot) describe(r *report.Run) { r.Device = d.device }
func (*rehearsedDepot) begin(j *job) journey     { return &rehearsed{j: j} }
func (*rehearsedDepot) close() error             { return act(context.Background(), "close") }

type rehearsed struct{ j *job }

// act does what the script says for this step.
func act(ctx context.Context, step string) error {
	at, kind, _ := strings.Cut(os.Getenv("PINRING_TEST_FAIL"), ":")
	if at != step {
		return nil
	}
	switch kind {
	case "oom":
		return fmt.Errorf("slots: %w", &gpu.OutOfMemoryError{Call: "cuMemHostAlloc", Code: 2, Requested: 6220800})
	case "device":
		return &gpu.DeviceError{Call: "cuStreamSynchronize", Code: 700, Message: "illegal address", Poisoned: true}
	case "lost":
		return &lostError{frames: 3}
	case "source":
		return &stageError{stageInput, 12, errors.New("frame 12: read error")}
	case "sink":
		return &stageError{stageOutput, 12, errors.New("no space left on device")}
	case "usage":
		return usage("try another", "no such option")
	case "wait":
		<-ctx.Done()
		return fmt.Errorf("process: %w", context.Cause(ctx))
	case "hang":
		select {}
	}
	return errors.New("it is " + kind)
}

func (r *rehearsed) openInput(context.Context) error { return nil }

func (r *rehearsed) openStaging(ctx context.Context) error { return act(ctx, "staging") }

func (r *rehearsed) openSource(ctx context.Context) error {
	if err := act(ctx, "input"); err != nil {
		return err
	}
	r.j.report.Input = &report.Input{Path: r.j.input, Codec: "h264", PixelFormat: "yuv420p", Width: 64, Height: 48}
	return nil
}

func (r *rehearsed) openSink(ctx context.Context) error { return act(ctx, "output") }

func (r *rehearsed) process(ctx context.Context) error {
	r.j.progress.update(counters{Frames: 5, InFlight: 1, PinnedBytes: 4096})
	r.j.report.Frames = &report.Frames{Decoded: 5, Delivered: 5}
	return act(ctx, "process")
}

func (r *rehearsed) close() error { return nil }

func (*rehearsed) live() string { return "" }
