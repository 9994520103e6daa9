// Package pinring is the root of a tree that processes video files on a GPU through a fixed ring of
// page-locked buffers. There is no code here; this is the map, in the order of a frame's journey:
//
//	decode     file to frames, written straight into memory lent to it
//	transfer   page-locked memory: the slot rings, upload and download
//	kernels    filter sources, the catalogue, chain parser and planner
//	encode     frames to file
//	pipeline   the road through these four
//	gpu        the engine: the device contract, with gpu/cuda and gpu/cpu behind it
//	budget     the traffic light: how many bytes may be used
//	frame      the passport: what a frame is and who owns it
//
// config (settings), report (results) and cmd/pinring (the program) stand around it. See
// docs/architecture.md.
package pinring
