// Package frame is the passport that a picture carries through the program: pixel format, planes,
// strides, colour, timing, and who owns the memory. It imports nothing of ours and holds no logic
// of decoding, copying or filtering.
//
// # Ownership
//
// A *Frame has exactly one owner at a time. Whoever owns it either hands it on (the receiver then
// owns it, on error too) or calls [Frame.Release], once. Release may be called from any goroutine.
// Apart from that hand-over a Frame is not safe for concurrent use.
package frame
