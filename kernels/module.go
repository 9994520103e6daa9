package kernels

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"unsafe"

	"github.com/pinring/pinring/gpu"
)

//go:embed kernels.ptx
var ptx string

// The sources are embedded for two reasons: a test proves that the PTX was made from them, and the go
// command then sees that the host build has to be done again when a .cu file changes.
//
//go:embed *.cu *.h
var sources embed.FS

// Module gives the kernels: the PTX, and host functions for the best instruction set that this
// processor has (none in programs built without cgo).
func Module() gpu.Module {
	m := gpu.Module{PTX: ptx}
	if v := Variants(); len(v) > 0 {
		m.Host = v[len(v)-1].Kernels
	}
	return m
}

// Variant is a build of the host kernels for an instruction set. All variants give the same bytes.
// "scalar" is the code of CUDA threads compiled for the host, for tests.
type Variant struct {
	Name    string // "scalar", "base", "x86-64-v3", "x86-64-v4"
	Kernels map[string]unsafe.Pointer
}

// sourceHash is the checksum that scripts/build-ptx.sh writes into the first line of the PTX.
func sourceHash() (string, error) {
	h := sha256.New()
	for _, name := range []string{"portable.h", "params.h", "tone.h", "samples.h", "resample.h", "planes.cu",
		"resize.cu", "convert.cu", "wide.cu", "turn.cu", "unsharp.cu", "kernels.cu"} {
		b, err := sources.ReadFile(name)
		if err != nil {
			return "", err
		}
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
