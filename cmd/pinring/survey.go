package main

import (
	"errors"

	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/cmd/internal/survey"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/internal/av"
	"github.com/pinring/pinring/report"
)

// survey is what this program supplies to the commands that look at a machine.
func (a *app) survey() *survey.Program {
	return &survey.Program{
		Name: "pinring", Version: version(), Out: a.out, Say: a.talk.Say, Quiet: a.talk.BeQuiet,
		Device:    openForSurvey,
		Ballast:   fillForSurvey,
		Libraries: a.libraryFacts,
		FFmpeg:    a.ffmpeg,
	}
}

// openForSurvey opens a device; one that is not there has the device's exit code.
func openForSurvey(want string) (gpu.Device, string, error) {
	dev, why, err := openDevice(want)
	return dev, why, at(stageDevice, err)
}

// fillForSurvey makes a real card the emulated one.
func fillForSurvey(dev gpu.Device, emulate string, force bool) (gpu.Device, error) {
	params, err := wddm.Parse(emulate)
	if err != nil {
		return nil, err
	}
	f := &filling{force: force, note: func(string) {}}
	card, err := f.emulateCard(dev, params)
	if err != nil {
		return nil, errors.Join(err, f.close())
	}
	return card, f.close()
}

func (a *app) libraryFacts() []report.Fact {
	var facts []report.Fact
	for _, l := range a.rooms.libraries() {
		facts = append(facts, report.Fact{Name: l.Name, Value: l.Version})
	}
	return facts
}

// ffmpeg tells the versions and which encoders there are.
func (a *app) ffmpeg() (versions []string, encoders map[string]bool) {
	for _, l := range a.rooms.libraries() {
		versions = append(versions, l.Name+" "+l.Version)
	}
	encoders = map[string]bool{}
	for _, name := range []string{"libx264", "libx265", "libsvtav1", "libvpx-vp9", "prores_ks", "ffv1", "mjpeg"} {
		_, err := av.EncoderFormats(name)
		encoders[name] = err == nil
	}
	return versions, encoders
}
