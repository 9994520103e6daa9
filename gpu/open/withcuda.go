//go:build windows || (linux && !cgo) || (cuda && linux)

package open

// WithoutCUDA is why this program can open no CUDA device, whatever the machine has; nil: it can.
func WithoutCUDA() error { return nil }
