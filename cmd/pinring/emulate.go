package main

import (
	"errors"

	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/kernels"
)

// filling is what the emulated card needs to fill a real one.
type filling struct {
	force bool
	note  func(string)
	warm  gpu.Program // keeps what the driver loaded for it
}

// emulateCard makes the card. With mode=ballast a real one is filled, so that its driver refuses.
func (f *filling) emulateCard(dev gpu.Device, p wddm.Params) (*wddm.Card, error) {
	if p.Mode != wddm.BallastMode {
		return wddm.Emulate(dev, p, wddm.Options{})
	}
	b, err := wddm.NewBallast(dev, wddm.BallastOptions{
		OthersBytes: othersBytes(dev.Info()), Force: f.force, Note: f.note, Warm: f.load,
	})
	if err != nil {
		return nil, ballastRefused(err)
	}
	card, err := wddm.Emulate(dev, p, wddm.Options{Backend: b})
	if err != nil {
		return nil, ballastRefused(errors.Join(err, b.Close()))
	}
	return card, nil
}

// load makes the driver load the kernels before the card is full.
func (f *filling) load(dev gpu.Device) (err error) {
	f.warm, err = dev.Load(kernels.Module())
	return err
}

// ballastRefused makes a card that cannot be filled a matter of usage: nothing was done.
func ballastRefused(err error) error {
	var b *wddm.BallastError
	if !errors.As(err, &b) {
		return err
	}
	hint := ""
	if errors.Is(err, wddm.ErrCardInUse) {
		hint = "--force fills it all the same: the others will find it full"
	}
	return usage(hint, "%s", err)
}

func (f *filling) close() error {
	if f.warm == nil {
		return nil
	}
	return f.warm.Close()
}
