// Package live counts what a device has made and what has not been freed.
package live

import (
	"fmt"
	"sync/atomic"
)

// Counts are the objects that are alive. Safe for concurrent use.
type Counts struct {
	HostBuffers, HostBytes    atomic.Int64
	Buffers, Bytes            atomic.Int64
	Streams, Events, Programs atomic.Int64
}

// Report is an error that lists what is alive, nil when nothing is. device begins the text.
func (c *Counts) Report(device string) error {
	if c.HostBuffers.Load()+c.Buffers.Load()+c.Streams.Load()+c.Events.Load()+c.Programs.Load() == 0 {
		return nil
	}
	return fmt.Errorf("%s: closed while %d host buffers (%d bytes), %d buffers (%d bytes), %d streams, %d events, %d programs are alive",
		device, c.HostBuffers.Load(), c.HostBytes.Load(), c.Buffers.Load(), c.Bytes.Load(), c.Streams.Load(), c.Events.Load(), c.Programs.Load())
}
