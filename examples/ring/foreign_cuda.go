//go:build cuda && linux

package main

/*
#include <stdint.h>
#include <cuda.h>

// What a program written for CUDA has: a context that it made, current while it calls, and a stream.
static CUresult open_own(uintptr_t *ctx, uintptr_t *stream) {
	CUdevice dev;
	CUcontext c;
	CUstream s;
	CUresult r = cuInit(0);
	if (!r) r = cuDeviceGet(&dev, 0);
	if (r) return r;
	r = cuCtxCreate(&c, CU_CTX_SCHED_BLOCKING_SYNC, dev);
	if (r) return r;
	r = cuStreamCreate(&s, CU_STREAM_NON_BLOCKING);
	if (r) {
		cuCtxDestroy(c);
		return r;
	}
	*ctx = (uintptr_t)c;
	*stream = (uintptr_t)s;
	return CUDA_SUCCESS;
}

// A kernel of the program would be launched here. Goroutines move between threads, so the context is
// set with each call.
static CUresult work(uintptr_t ctx, uintptr_t stream, uint64_t dst, uint64_t src, size_t bytes) {
	CUresult r = cuCtxSetCurrent((CUcontext)ctx);
	return r ? r : cuMemcpyDtoDAsync((CUdeviceptr)dst, (CUdeviceptr)src, bytes, (CUstream)stream);
}

static CUresult close_own(uintptr_t ctx, uintptr_t stream) {
	CUresult r = cuCtxSetCurrent((CUcontext)ctx);
	if (!r) r = cuStreamDestroy((CUstream)stream);
	CUresult d = cuCtxDestroy((CUcontext)ctx);
	return r ? r : d;
}
*/
import "C"

import (
	"errors"
	"fmt"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cuda"
)

const defaultDevice = "cuda"

// program is a CUDA program's own context and stream, and pinring's view of them.
type program struct {
	ctx, stream C.uintptr_t
	dev         *cuda.Device
	wrapped     gpu.Stream
}

func openCUDA() (foreign, error) {
	// cuda.Count opens the driver's library, and says in words when there is none.
	n, err := cuda.Count()
	if err == nil && n == 0 {
		err = errors.New("the driver shows no device")
	}
	if err != nil {
		return nil, fmt.Errorf("%w; try -device cpu", err)
	}
	p := &program{}
	if err := result("a context and a stream", C.open_own(&p.ctx, &p.stream)); err != nil {
		return nil, err
	}
	if p.dev, err = cuda.Wrap(uintptr(p.ctx)); err != nil { // from here on they are shared with pinring
		return nil, errors.Join(err, p.Close())
	}
	p.wrapped = p.dev.WrapStream(uintptr(p.stream))
	return p, nil
}

func (p *program) Device() gpu.Device { return p.dev }
func (p *program) Stream() gpu.Stream { return p.wrapped }

func (p *program) Work(dst, src gpu.Addr, bytes int) error {
	return result("the program's own work", C.work(p.ctx, p.stream, C.uint64_t(dst), C.uint64_t(src), C.size_t(bytes)))
}

// Close closes the views, which leaves the program's own things alone, and then those.
func (p *program) Close() error {
	var errs []error
	if p.wrapped != nil {
		errs = append(errs, p.wrapped.Close())
	}
	if p.dev != nil {
		errs = append(errs, p.dev.Close())
	}
	return errors.Join(append(errs, result("the end", C.close_own(p.ctx, p.stream)))...)
}

func result(what string, r C.CUresult) error {
	if r == C.CUDA_SUCCESS {
		return nil
	}
	return fmt.Errorf("%s: CUDA result %d", what, int(r))
}
