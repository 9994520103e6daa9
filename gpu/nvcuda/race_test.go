//go:build race

package nvcuda_test

// Under the race detector sync.Pool, which purego uses, drops things at random, and calls allocate.
const racing = true
