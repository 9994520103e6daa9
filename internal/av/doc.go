// Package av is the only home of go-astiav and of our own calls into FFmpeg's libraries. No type of
// either leaves it. It offers thin pieces that packages decode and encode put together:
//
//   - [Input] demuxes, [Decoder] decodes, [Pool] is the memory that decoders write into.
//   - [Encoder] encodes pictures without copying them, [Muxer] writes files.
//   - [Sound] and [Text] decode and encode what other streams hold.
//
// FFmpeg 5.1 (libavcodec 59) is what go-astiav v0.16.0 fits; the build fails with another.
//
// # Memory
//
// Everything here that holds C memory has a Close, Free or Release, idempotent unless it says
// otherwise; nothing waits for the garbage collector but [StreamParams]. A picture's pixels are
// valid until its [Picture] is unreferenced. A [Pool] outlives its decoder: pictures that were
// handed out may be given back after everything else was closed.
//
// C never calls Go: what happens on FFmpeg's threads (buffers taken and given back, pictures that
// an encoder let go of, log lines) is noted in C lists and counters that Go reads when it passes by.
package av

/*
#cgo pkg-config: libavcodec libavformat libavutil libswscale libswresample
#cgo CFLAGS: -std=gnu11 -Wall
#include <libavcodec/version.h>
#if LIBAVCODEC_VERSION_MAJOR != 59
#error "pinring needs FFmpeg 5.1 (libavcodec 59), as in Debian 12; see the README for other systems"
#endif
*/
import "C"
