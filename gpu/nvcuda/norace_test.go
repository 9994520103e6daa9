//go:build !race

package nvcuda_test

const racing = false
