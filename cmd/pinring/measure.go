package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/pinring/pinring/bench"
	"github.com/pinring/pinring/cmd/internal/tally"
	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/report"
)

// The pictures that are measured with: the article's size, and what a decoder usually gives.
var benchInfo = frame.Info{Format: frame.YUV420P, Width: 1920, Height: 1080}

// benchBytes is a 1080p picture of three bytes a pixel; benchBlock a copy that is all bandwidth.
const benchBytes, benchBlock = 1920 * 1080 * 3, 64 << 20

// benchChains are measured unless the user names one.
var benchChains = []string{"negate", "format=rgb24", "scale=1280:720", "scale=3840:2160"}

// benchAllocations of each kind are made and freed.
const benchAllocations = 50

// measurement fills a report of one device.
type measurement struct {
	dev gpu.Device
	c   config.Config
	out *report.Bench
	say func(string)
}

func (house) bench(ctx context.Context, c config.Config, out *report.Bench, say func(string)) (err error) {
	dev, why, err := openDevice(string(c.Device.Want))
	if err != nil {
		return at(stageDevice, err)
	}
	defer func() { err = errors.Join(err, at(stageDevice, dev.Close())) }()
	say(why)
	info := dev.Info()
	out.Device = &report.Device{Kind: string(info.Kind), Name: info.Name}
	out.Copies, out.Allocations, out.Kernels = []report.BenchCopies{}, []report.BenchAlloc{}, []report.BenchKernel{}
	m := &measurement{dev: dev, c: c, out: out, say: say}
	if info.Unified {
		out.Notes = append(out.Notes, "Copies, allocations and the ring's path were not measured: on the CPU device host memory is device memory.")
	} else if err := m.memory(ctx); err != nil {
		return at(stageDevice, err)
	}
	return at(stageDevice, m.kernels(ctx))
}

// memory is what only a device with memory of its own has.
func (m *measurement) memory(ctx context.Context) error {
	for _, step := range []func(context.Context) error{m.copies, m.allocations, m.ring} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (m *measurement) copies(ctx context.Context) error {
	for _, kind := range []gpu.HostKind{gpu.Pinned, gpu.Registered, gpu.Pageable} {
		for _, bytes := range []int{benchBytes, benchBlock} {
			m.say(fmt.Sprintf("copies of %s memory", kind))
			c, err := bench.MeasureCopies(ctx, m.dev, kind, bytes)
			if errors.Is(err, gpu.ErrUnsupported) {
				continue
			}
			if err != nil {
				return err
			}
			row := report.BenchCopies{Kind: kind.String(), Bytes: bytes, Up: c.Up, Down: c.Down}
			if c.Both > 0 {
				row.Both = &c.Both
			}
			m.out.Copies = append(m.out.Copies, row)
		}
	}
	return nil
}

func (m *measurement) allocations(ctx context.Context) error {
	for _, kind := range []gpu.HostKind{gpu.Pinned, gpu.Registered, gpu.Pageable, gpu.Managed} {
		m.say(fmt.Sprintf("allocating %s memory", kind))
		a, err := bench.MeasureAllocs(ctx, m.dev, kind, benchBytes, benchAllocations)
		if errors.Is(err, gpu.ErrUnsupported) {
			continue
		}
		if err != nil {
			return err
		}
		m.out.Allocations = append(m.out.Allocations, report.BenchAlloc{Kind: kind.String(), Bytes: benchBytes,
			Count: a.Alloc.Count, Alloc: tally.Times(a.Alloc), Free: tally.Times(a.Free)})
	}
	return nil
}

func (m *measurement) ring(ctx context.Context) error {
	m.say("the ring's path, a bare loop and churn, in turns")
	r, err := bench.MeasureRing(ctx, m.dev, bench.RingParams{Info: benchInfo, InFlight: int(m.c.Staging.InFlight)})
	if err != nil {
		return err
	}
	out := &report.BenchRing{Chain: r.Chain, Format: string(r.Format), Width: r.Width, Height: r.Height, UpBytes: r.UpBytes,
		DownBytes: r.DownBytes, InFlight: r.InFlight, Frames: r.Frames, FPS: r.FPS, ChurnFPS: r.Churn, OverChurn: report.BenchSpread(r.OverChurn)}
	if r.Bare > 0 {
		share := report.BenchSpread(r.Shares)
		out.BareFPS, out.Share = &r.Bare, &share
	}
	m.out.Ring = out
	return nil
}

func (m *measurement) kernels(ctx context.Context) error {
	chains := benchChains
	if c := string(m.c.Filter.Chain); c != "" {
		chains = []string{c}
	}
	for _, chain := range chains {
		m.say("kernels: " + chain)
		k, err := bench.MeasureChain(ctx, m.dev, chain, benchInfo)
		if err != nil {
			return err
		}
		if k.Seconds <= 0 || k.Launches == 0 {
			continue // a chain that does nothing
		}
		m.out.Kernels = append(m.out.Kernels, report.BenchKernel{Chain: chain, Format: string(k.Format), Width: k.Width, Height: k.Height,
			Launches: k.Launches, Micros: k.Seconds * 1e6, Rate: float64(k.Bytes) / k.Seconds})
	}
	return nil
}
