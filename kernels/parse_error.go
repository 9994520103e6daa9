package kernels

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// ParseError is an error in the text of a chain.
type ParseError struct {
	Chain   string
	Pos     int // bytes before the place of the error
	Message string
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("filter chain, position %d: %s", e.Pos+1, e.Message)
}

// Caret shows the chain and, below it, a ^ under the place of the error.
func (e *ParseError) Caret() string {
	oneLine := strings.NewReplacer("\n", " ", "\r", " ", "\t", " ").Replace(e.Chain)
	return oneLine + "\n" + strings.Repeat(" ", utf8.RuneCountInString(oneLine[:e.Pos])) + "^"
}
