//go:build windows || linux

package nvcuda

import (
	"sync"

	"github.com/pinring/pinring/gpu/internal/cudaapi"
	"github.com/pinring/pinring/internal/sharedlib"
)

// library is the driver's library: the address of each entry point, 0 where it lacks one.
type library struct{ procs [cudaapi.NumFunctions]uintptr }

// opened opens the library. A failure is remembered: a driver does not appear while running.
var opened = sync.OnceValues(func() (*library, error) {
	lib, err := sharedlib.Open(libraryName)
	if err != nil {
		return nil, &NoDriverError{Code: cudaapi.CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, Reason: err.Error()}
	}
	l := &library{}
	for f := range l.procs {
		l.procs[f] = lib.Symbol(cudaapi.Function(f).Symbol())
	}
	return l, nil
})

// call calls an entry point and returns its CUresult. Pointers are converted to uintptr in the
// argument list itself: what they point to is then moved to the heap, and stays until the call
// returns. The list is on the heap, too, so this is not for what happens for each frame.
//
//go:uintptrescapes
func (l *library) call(f cudaapi.Function, args ...uintptr) int { return l.plain(f, args...) }

// plain is call for arguments that are numbers and handles, or addresses of what is on the heap
// anyway and kept alive by the caller. It does not allocate.
func (l *library) plain(f cudaapi.Function, args ...uintptr) int {
	if len(args) != f.Params() {
		panic("nvcuda: wrong number of arguments for " + f.Symbol())
	}
	proc := l.procs[f]
	if proc == 0 {
		return cudaapi.CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND
	}
	return int(int32(sharedlib.Call(proc, args)))
}

// initialize opens the driver. Doing it again is cheap.
func initialize() (*library, error) {
	l, err := opened()
	if err != nil {
		return nil, err
	}
	if code := l.call(cudaapi.CuInit, 0); code != cudaapi.CUDA_SUCCESS {
		return nil, &NoDriverError{Code: code, Reason: "cuInit: " + l.message(code)}
	}
	return l, nil
}
