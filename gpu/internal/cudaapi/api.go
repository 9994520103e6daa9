// Package cudaapi is what the CUDA devices know of the driver's binary interface without a C
// compiler: constants, structs and entry points, generated from the same table as
// gpu/cuda/include/cuda.h and so compared with NVIDIA's headers by make check.
package cudaapi

// Function numbers an entry point of the driver's library.
type Function int

// entry is an entry point: its symbol in the library, and how many parameters it takes.
type entry struct {
	symbol string
	params int
}

// Symbol is the name of the entry point in the library, such as cuMemAlloc_v2.
func (f Function) Symbol() string { return functions[f].symbol }

// Params is the number of parameters.
func (f Function) Params() int { return functions[f].params }
