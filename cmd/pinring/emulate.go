package main

import (
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/gpu"
)

// emulateCard makes the card. Ballast fills a real one.
func emulateCard(dev gpu.Device, p wddm.Params) (*wddm.Card, error) {
	return wddm.Emulate(dev, p, wddm.Options{})
}
