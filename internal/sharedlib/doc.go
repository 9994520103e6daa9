//go:build windows || linux

// Package sharedlib calls a library of the system without cgo: it is opened when it is wanted, and
// its absence is an ordinary error. On Windows it is looked for in System32 and nowhere else: a
// library of that name beside the program, or in a folder of the path, is not the driver's.
package sharedlib
