//go:build !cgo || windows

package kernels

// Variants lists the host builds; there are none without cgo.
func Variants() []Variant { return nil }
