// Package avtest helps to test packages decode and encode, and holds the tests that need both:
// what one writes and the other reads, compared with what FFmpeg's program makes of the same files.
package avtest
