// Package pipeline is the spine: it drives frames from a source through a device to a sink, keeps
// a fixed number of them in flight, and counts what became of each.
//
// # The road
//
//	decode goroutine   source.Next ─► frames (1 waiting; blocks when full)
//	drive goroutine    frame ─► guard ─► lane ─► stage, record, submit (blocks while the guard holds, or no lane is free)
//	completer          event done ─► completed                         (has room for every lane)
//	deliver goroutine  completed ─► source frame let go ─► sink.Write ─► lane free
//
// A lane is a stream with its events, device buffers and command list. There are as many lanes as
// frames may be in flight, and a frame keeps its lane from admission until the sink has taken it,
// so every queue is bounded by the lanes and nothing is ever dropped.
//
// # Ends
//
// At the end of the stream, at the frame limit and at an interrupt (the context ends) no further
// frame is admitted; those on the road are delivered and the output is finished. A failing source
// does the same, and the failure is returned; so does a guard whose budget is exhausted, but the sink
// is told that the output is partial. A failing device or sink ends the run at once; what
// is on the road is discarded, and counted.
package pipeline
