package sharedlib

import (
	"errors"
	"runtime"
	"strings"
	"sync"

	"github.com/ebitengine/purego"
)

// Library is an opened library. It stays open.
type Library struct{ handle uintptr }

// Open opens the library of that name. The error matches [fs.ErrNotExist] when there is none.
func Open(name string) (Library, error) {
	runtime.LockOSThread() // the loader keeps its words for the thread that failed
	defer runtime.UnlockOSThread()
	handle, err := purego.Dlopen(name, purego.RTLD_LAZY|purego.RTLD_LOCAL)
	var words purego.Dlerror
	if errors.As(err, &words) && strings.HasPrefix(words.Error(), name+": cannot open shared object file: No such file") {
		err = absentError{err} // of a library that it needs the loader says the same, under that one's name
	}
	return Library{handle}, err
}

// Symbol is the address of a function, 0 when the library has none of that name.
func (l Library) Symbol(name string) uintptr {
	p, err := purego.Dlsym(l.handle, name)
	if err != nil {
		return 0
	}
	return p
}

// lists are argument lists: purego moves them to the heap, so they are there already and reused.
var lists = sync.Pool{New: func() any { return new([16]uintptr) }}

// Call calls a function with arguments that are passed like integers. What addresses among them
// refer to must be on the heap, or not of Go's memory, and be kept alive by the caller. It does not
// allocate.
func Call(proc uintptr, args []uintptr) uintptr {
	list := lists.Get().(*[16]uintptr)
	defer lists.Put(list)
	r, _, _ := purego.SyscallN(proc, list[:copy(list[:], args)]...)
	return r
}
