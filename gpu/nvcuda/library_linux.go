package nvcuda

import (
	"sync"

	"github.com/ebitengine/purego"
)

func open() (find func(symbol string) uintptr, err error) {
	handle, err := purego.Dlopen("libcuda.so.1", purego.RTLD_LAZY|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	return func(symbol string) uintptr {
		p, err := purego.Dlsym(handle, symbol)
		if err != nil {
			return 0
		}
		return p
	}, nil
}

// lists are argument lists: purego moves them to the heap, so they are there already and reused.
var lists = sync.Pool{New: func() any { return new([16]uintptr) }}

func invoke(proc uintptr, args []uintptr) uintptr {
	list := lists.Get().(*[16]uintptr)
	defer lists.Put(list)
	r, _, _ := purego.SyscallN(proc, list[:copy(list[:], args)]...)
	return r
}
