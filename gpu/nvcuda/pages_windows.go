package nvcuda

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// libraryName is the driver's library.
const libraryName = "nvcuda.dll"

const onWindows = true

// pageCall and noMemory are for errors: VirtualAlloc, ERROR_NOT_ENOUGH_MEMORY.
const (
	pageCall = "VirtualAlloc"
	noMemory = int(windows.ERROR_NOT_ENOUGH_MEMORY)
)

// allocPages gets whole pages from the system, aligned to 64 KiB.
func allocPages(size int) (unsafe.Pointer, error) {
	p, err := windows.VirtualAlloc(0, uintptr(size), windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_READWRITE)
	if err != nil {
		return nil, err
	}
	return *(*unsafe.Pointer)(unsafe.Pointer(&p)), nil // not of Go's memory
}

func freePages(p unsafe.Pointer, _ int) error {
	return windows.VirtualFree(uintptr(p), 0, windows.MEM_RELEASE)
}
