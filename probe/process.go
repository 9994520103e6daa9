package probe

import "errors"

// Usage is what a process itself has of the host's memory, in bytes. What the system does not tell is
// -1.
type Usage struct {
	Resident int64 // in RAM: RSS, working set
	Locked   int64 // locked by the process (VmLck); pinned memory of a driver need not be in it
	Pinned   int64 // pinned by drivers on the process's account (VmPin)
}

// ErrNoProcess says that there is no such process, or no longer.
var ErrNoProcess = errors.New("there is no such process")
