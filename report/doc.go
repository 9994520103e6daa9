// Package report holds the results of the program as plain structs, and prints them as text for
// people and as JSON for scripts. It imports nothing of ours: whoever has a result copies it in.
//
// # Stability
//
// The JSON is schema 1. Keys may be added, never renamed or removed, and they keep their order.
// What is absent is null, so every key is always there: an object, a number or a string that the
// run did not get as far as knowing is null, and a list without entries is [].
package report
