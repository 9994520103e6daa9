//go:build race

package main

// underRace: the race detector keeps memory of its own for every address that was ever used, so that
// what is resident says nothing then.
const underRace = true
