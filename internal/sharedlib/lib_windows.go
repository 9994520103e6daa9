package sharedlib

import (
	"errors"
	"fmt"
	"syscall"

	"golang.org/x/sys/windows"
)

// Library is an opened library. It stays open.
type Library struct{ dll *windows.LazyDLL }

// Open opens the library of that name. The error matches [fs.ErrNotExist] when there is none, or one that it
// needs is not there: Windows does not tell them apart.
func Open(name string) (Library, error) {
	dll := windows.NewLazySystemDLL(name)
	if err := dll.Load(); err != nil {
		if errors.Is(err, windows.ERROR_MOD_NOT_FOUND) {
			err = absentError{err}
		}
		return Library{}, fmt.Errorf("%s of System32: %w", name, err)
	}
	return Library{dll}, nil
}

// Symbol is the address of a function, 0 when the library has none of that name.
func (l Library) Symbol(name string) uintptr {
	p := l.dll.NewProc(name)
	if p.Find() != nil {
		return 0
	}
	return p.Addr()
}

// Call calls a function with arguments that are passed like integers. What addresses among them
// refer to must be on the heap, or not of Go's memory, and be kept alive by the caller. It does not
// allocate.
func Call(proc uintptr, args []uintptr) uintptr {
	r, _, _ := syscall.SyscallN(proc, args...)
	return r
}
