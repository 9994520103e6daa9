package contest

import (
	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/transfer"
)

// StagingModes are what --staging can name.
var StagingModes = map[config.Text]transfer.Mode{
	"reuse":      {Kind: gpu.Pinned},
	"registered": {Kind: gpu.Registered},
	"mapped":     {Kind: gpu.Mapped},
	"managed":    {Kind: gpu.Managed},
	"pageable":   {Kind: gpu.Pageable, PerFrame: true},
	"churn":      {Kind: gpu.Pinned, PerFrame: true},
}

// Directions are the modes up and down: --staging in the direction of --churn, a ring in the other.
func Directions(s config.Staging) (up, down transfer.Mode) {
	m := StagingModes[s.Mode]
	if s.Direction != "download" {
		up = m
	}
	if s.Direction != "upload" {
		down = m
	}
	return up, down
}
