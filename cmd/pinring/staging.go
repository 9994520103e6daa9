package main

import "github.com/pinring/pinring/cmd/internal/contest"

// What --staging can name, and what it means for the two directions, is the same in all programs.
var (
	stagingModes = contest.StagingModes
	directions   = contest.Directions
)
