// Package lockfile locks files so that a lock means "its owner lives": the operating system drops
// it when the process ends, however it ends. On Linux these are open file description locks (fcntl
// F_OFD_SETLK), which belong to the open file and so also hold between two users in one process; on
// Windows LockFileEx, which does the same. Elsewhere locking fails with [ErrUnsupported].
//
// One byte far behind the data is locked, because Windows' locks forbid reading what they cover.
package lockfile

import "errors"

// ErrUnsupported says that this system has no locks of that kind.
var ErrUnsupported = errors.New("file locks that end with their owner are not supported on this system")

// offset of the locked byte.
const offset = 1 << 30
