//go:build amd64 || arm64

package dxgi

import (
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	pdhDLL                      = windows.NewLazySystemDLL("pdh.dll")
	pdhOpenQuery                = pdhDLL.NewProc("PdhOpenQueryW")
	pdhAddEnglishCounter        = pdhDLL.NewProc("PdhAddEnglishCounterW")
	pdhCollectQueryData         = pdhDLL.NewProc("PdhCollectQueryData")
	pdhGetFormattedCounterArray = pdhDLL.NewProc("PdhGetFormattedCounterArrayW")
	pdhCloseQuery               = pdhDLL.NewProc("PdhCloseQuery")
)

// findPDH says which function is missing; calling one that is would panic.
func findPDH() error {
	for _, p := range []*windows.LazyProc{pdhOpenQuery, pdhAddEnglishCounter, pdhCollectQueryData, pdhGetFormattedCounterArray, pdhCloseQuery} {
		if err := p.Find(); err != nil {
			return fmt.Errorf("%s of pdh.dll: %w", p.Name, err)
		}
	}
	return nil
}

// pdhFailed is any status but success: PDH_STATUS also has failures without the sign bit.
func pdhFailed(call string, status uint32) error {
	if status == 0 {
		return nil
	}
	return &CallError{Call: call, Code: status}
}

// openQuery returns a PDH_HQUERY of live data.
func openQuery() (query uintptr, err error) {
	r, _, _ := syscall.SyscallN(pdhOpenQuery.Addr(), 0, 0, uintptr(unsafe.Pointer(&query)))
	return query, pdhFailed("PdhOpenQuery", uint32(r))
}

// addCounter returns a PDH_HCOUNTER that belongs to the query. The path is in English whatever the
// system's language.
func addCounter(query uintptr, path string) (counter uintptr, err error) {
	p, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, err
	}
	r, _, _ := syscall.SyscallN(pdhAddEnglishCounter.Addr(), query, uintptr(unsafe.Pointer(p)), 0,
		uintptr(unsafe.Pointer(&counter)))
	return counter, pdhFailed("PdhAddEnglishCounter("+path+")", uint32(r))
}

func collect(query uintptr) error {
	r, _, _ := syscall.SyscallN(pdhCollectQueryData.Addr(), query)
	return pdhFailed("PdhCollectQueryData", uint32(r))
}

func closeQuery(query uintptr) { syscall.SyscallN(pdhCloseQuery.Addr(), query) }

// pdhFormatLarge is PDH_FMT_LARGE of pdh.h: values as 64-bit integers.
const pdhFormatLarge = 0x400

// array is the buffer of PdhGetFormattedCounterArray: items, then their names. Words keep it
// aligned, and hide from the collector the pointers that Windows writes.
type array struct {
	words        []uint64
	bytes, count uint32 // written by Windows
}

// fill asks for the values of a counter. Instances may appear between the question for the size
// and the one for the values, so it is asked a few times.
func (a *array) fill(counter uintptr) error {
	const call = "PdhGetFormattedCounterArray"
	for range 4 {
		a.bytes, a.count = uint32(8*len(a.words)), 0
		status := a.get(counter)
		if status != pdhMoreData {
			return pdhFailed(call, status)
		}
		// The size is to be relied on only when asked for with a size of 0.
		a.bytes, a.count, a.words = 0, 0, nil
		if status = a.get(counter); status != pdhMoreData {
			return pdhFailed(call, status)
		}
		a.words = make([]uint64, (a.bytes+7)/8+64)
	}
	return pdhFailed(call, pdhMoreData)
}

func (a *array) get(counter uintptr) uint32 {
	r, _, _ := syscall.SyscallN(pdhGetFormattedCounterArray.Addr(), counter, pdhFormatLarge,
		uintptr(unsafe.Pointer(&a.bytes)), uintptr(unsafe.Pointer(&a.count)), uintptr(unsafe.Pointer(unsafe.SliceData(a.words))))
	return uint32(r)
}
