package survey

import "io"

// forms binds the printers to one result.
func forms[R any](r R, text, json, html func(io.Writer, R) error) result {
	bind := func(print func(io.Writer, R) error) func(io.Writer) error {
		if print == nil {
			return nil
		}
		return func(w io.Writer) error { return print(w, r) }
	}
	return result{text: bind(text), json: bind(json), html: bind(html)}
}
