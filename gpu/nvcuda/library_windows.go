package nvcuda

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// open looks in System32 and nowhere else: a library of that name beside the program, or in a folder
// of the path, is not the driver's.
func open() (find func(symbol string) uintptr, err error) {
	dll := windows.NewLazySystemDLL("nvcuda.dll")
	if err := dll.Load(); err != nil {
		return nil, err
	}
	return func(symbol string) uintptr {
		p := dll.NewProc(symbol)
		if p.Find() != nil {
			return 0
		}
		return p.Addr()
	}, nil
}

func invoke(proc uintptr, args []uintptr) uintptr {
	r, _, _ := syscall.SyscallN(proc, args...)
	return r
}
