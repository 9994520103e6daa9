package main

import (
	"errors"
	"strings"

	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cuda/env"
	"github.com/pinring/pinring/internal/av"
	"github.com/pinring/pinring/kernels"
)

// rooms are the program's own packages.
var rooms workshop = house{}

// house joins them.
type house struct{}

func (house) checkChain(text string) error {
	_, err := kernels.Parse(text)
	var bad *kernels.ParseError
	if errors.As(err, &bad) {
		return usage("pinring filters lists the filters, pinring filters NAME the options of one", "%s\n%s", bad, bad.Caret())
	}
	return err
}

func (house) filters() []filterInfo {
	var out []filterInfo
	for _, f := range kernels.Filters() {
		info := filterInfo{Name: f.Name, Summary: f.Summary, Notes: f.Notes, Options: []filterOption{}}
		for _, o := range f.Options {
			info.Options = append(info.Options, filterOption{o.Name, o.Aliases, o.Type, o.Default, o.Help})
		}
		out = append(out, info)
	}
	return out
}

func (house) libraries() []library {
	var out []library
	for _, l := range av.Libraries() {
		out = append(out, library(l))
	}
	return out
}

func (house) exports() (string, error) {
	dir, err := env.ModuleDir()
	if err != nil {
		return "", err
	}
	lines, err := env.Exports(dir)
	if err != nil {
		return "", err
	}
	return strings.Join(lines, "\n") + "\n", nil
}

func (house) device(want string) (gpu.Info, string, error) {
	dev, why, err := openDevice(want)
	if err != nil {
		return gpu.Info{}, "", err
	}
	return dev.Info(), why, dev.Close()
}

func (house) prepare(c config.Config, jobs int, t *talk) depot {
	return &stock{config: c, jobs: jobs, talk: t}
}
