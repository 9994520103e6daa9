package nvcuda

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// libraryName is the driver's library.
const libraryName = "libcuda.so.1"

const onWindows = false

// pageCall and noMemory are for errors.
const (
	pageCall = "mmap"
	noMemory = int(unix.ENOMEM)
)

// allocPages gets whole pages from the system.
func allocPages(size int) (unsafe.Pointer, error) {
	return unix.MmapPtr(-1, 0, nil, uintptr(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
}

func freePages(p unsafe.Pointer, size int) error { return unix.MunmapPtr(p, uintptr(size)) }
