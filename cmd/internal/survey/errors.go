package survey

import (
	"fmt"

	"github.com/pinring/pinring/cmd/internal/cli"
)

func usage(hint, format string, args ...any) error { return cli.Usage(hint, format, args...) }

// unreadable is the error for a file that the user named and that cannot be used.
func unreadable(hint, format string, args ...any) error {
	err := error(&cli.InputError{Err: fmt.Errorf(format, args...)})
	if hint == "" {
		return err
	}
	return cli.Hint(err, hint)
}
