//go:build !unix

package cli

import (
	"io/fs"
	"os"
)

// openDevice opens what is there and no regular file for writing.
func openDevice(name string, _ fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, os.O_WRONLY, 0)
}
