//go:build unix

package roster

import (
	"os"
	"syscall"
)

// noFollow keeps an open from going through a link, and from waiting for a pipe.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// ours reports whether the file belongs to this user.
func ours(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}
