package cli

import "context"

// Await runs f, which may wait for others for ever: a pipe that nobody writes to, a driver that does not
// answer. When ctx ends before, it returns ctx's cause, and leaves f behind: the program is about to end, or
// goes on without what f would have given.
func Await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		v   T
		err error
	}
	done := make(chan result, 1) // a slot, so that f can end when nobody waits any more
	go func() {
		v, err := f()
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.v, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}
