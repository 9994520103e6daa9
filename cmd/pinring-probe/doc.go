// Command pinring-probe shows what page-locked memory does to a machine, and what a ring and the
// budget guard do about it, without FFmpeg: frames are synthetic, or come as y4m on standard input. It
// is pure Go and the program for Windows; on Linux it is built, too, from the same code.
//
//	go build ./cmd/pinring-probe
package main
