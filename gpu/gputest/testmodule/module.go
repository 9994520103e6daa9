package testmodule

import (
	_ "embed"

	"github.com/pinring/pinring/gpu"
)

//go:embed kernels.ptx
var ptx string

// Module returns the test kernels. There is no host form of "wild", which writes anywhere, and of
// none where the package is built without cgo.
func Module() gpu.Module { return gpu.Module{PTX: ptx, Host: hostKernels()} }
