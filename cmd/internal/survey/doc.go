// Package survey has the commands that look at a machine: probe, meminfo, watch and doctor. Each
// program that offers them supplies a [Program]: how a device is opened and which meters see it. The
// commands are the same everywhere, Windows included.
package survey
