//go:build !linux || !cgo

package testmodule

import "unsafe"

func hostKernels() map[string]unsafe.Pointer { return nil }
