package probe

// System is a machine as [Examine] sees it: everything it asks for goes through here, so that tests can
// play any machine. See NewSystem in package survey for the real one.
type System struct {
	OS string // as runtime.GOOS
}
