package survey

import "os"

// forwarder has nothing to do: Ctrl-C and the closing of the console reach the command by themselves.
type forwarder struct{}

func catch() *forwarder           { return &forwarder{} }
func (*forwarder) to(*os.Process) {}
func (*forwarder) stop()          {}

func signalled(*os.ProcessState) (code int, name string, ok bool) { return 0, "", false }
