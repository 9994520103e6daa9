package report

import "io"

// Printer writes a result in one form. Implementations are stateless and safe for concurrent use.
type Printer interface {
	PrintRun(w io.Writer, r *Run) error
	PrintCompare(w io.Writer, c *Compare) error
}

var (
	_ Printer = JSON{}
	_ Printer = Text{}
	_ Printer = HTML{}
)
