// Package report holds the results of the program as plain structs, and prints them as text for
// people, as JSON for scripts and as a page for a browser. It imports nothing of ours: whoever has a
// result copies it in.
//
// A [Run] is one input processed in one way; a [Compare] is several of them side by side, with what
// [Judge] concludes. Neither printing nor judging changes what it is given, or looks at anything
// else: no clock, no environment.
//
// # Stability
//
// The JSON is schema 1. Keys may be added, never renamed or removed, and they keep their order.
// What is absent is null, so every key is always there: an object, a number, a string or a list that
// the run did not get as far as knowing is null. A list that is known to have no entries is [].
package report
