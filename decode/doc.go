// Package decode turns a video file into frames, in presentation order, written straight into
// memory that is lent to it.
//
//	Open    demux, choose a stream, open the decoder, ask the Lender for slots
//	Next    read packets, send them, receive a frame      (frame threads work meanwhile)
//	EOF     drain the decoder: every frame that it holds comes out
//	Close   decoder, file; slots go home as the last reference to them is dropped
//
// Damage in the file costs pictures, never the run: what could not be decoded is counted in [Stats].
// Time stamps are treated as FFmpeg's own program treats them (Note [Time stamps]).
//
// # Slots
//
// The decoder asks for a buffer on its own threads, and must not be made to wait for one (its
// threads wait for each other). So slots are lent ahead: as many as the codec may refer to, one for
// each thread, those in flight downstream, and one. When they do not suffice, the picture goes into
// the decoder's own memory; it then has no Block, and is counted as a fallback.
package decode
