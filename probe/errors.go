package probe

import "errors"

// errIdle says that waiting cannot change anything any more.
var errIdle = errors.New("nothing is going to change")
