package host

import "os"

// New makes a meter of this machine.
func New(o Options) (*Meter, error) { return NewFS(os.DirFS("/"), o) }
