package main

import "github.com/pinring/pinring/cmd/internal/contest"

// directions are the modes up and down that the settings ask for, the same in all programs.
var directions = contest.Directions
