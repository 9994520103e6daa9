//go:build amd64 || arm64

package dxgi

import (
	"errors"
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	dxgiDLL            = windows.NewLazySystemDLL("dxgi.dll")
	createDXGIFactory1 = dxgiDLL.NewProc("CreateDXGIFactory1")
)

// createFactory returns a factory, which the caller releases.
func createFactory() (*object, error) {
	if err := createDXGIFactory1.Find(); err != nil {
		return nil, fmt.Errorf("CreateDXGIFactory1 of dxgi.dll: %w", err)
	}
	var factory *object
	r, _, _ := syscall.SyscallN(createDXGIFactory1.Addr(),
		uintptr(unsafe.Pointer(&iidFactory1)), uintptr(unsafe.Pointer(&factory)))
	return factory, failed("CreateDXGIFactory1", uint32(r))
}

// enumAdapter returns the factory's adapter i as IDXGIAdapter1, which the caller releases.
func enumAdapter(factory *object, i uint32) (*object, error) {
	var adapter *object
	r, _, _ := syscall.SyscallN(factory.method(factoryEnumAdapters1), uintptr(unsafe.Pointer(factory)),
		uintptr(i), uintptr(unsafe.Pointer(&adapter)))
	return adapter, failed("IDXGIFactory1::EnumAdapters1", uint32(r))
}

// describe asks an IDXGIAdapter1 for its description; software says that it is no card.
func describe(adapter *object) (a Adapter, software bool, err error) {
	var d adapterDesc1
	r, _, _ := syscall.SyscallN(adapter.method(adapterGetDesc1), uintptr(unsafe.Pointer(adapter)),
		uintptr(unsafe.Pointer(&d)))
	if err := failed("IDXGIAdapter1::GetDesc1", uint32(r)); err != nil {
		return Adapter{}, false, err
	}
	return Adapter{
		Name:           windows.UTF16ToString(d.Description[:]),
		LUID:           LUID{Low: d.AdapterLUID.LowPart, High: d.AdapterLUID.HighPart},
		DedicatedBytes: int64(d.DedicatedVideoMemory),
		SharedBytes:    int64(d.SharedSystemMemory),
	}, d.Flags&notHardware != 0, nil
}

// findAdapter returns the wanted adapter as IDXGIAdapter3, which the caller releases.
func findAdapter(w wanted) (*object, Adapter, error) {
	factory, err := createFactory()
	if err != nil {
		return nil, Adapter{}, err
	}
	defer factory.release() // adapters hold a reference of their own
	chosen := w.String()
	for i := uint32(0); ; i++ {
		adapter, err := enumAdapter(factory, i)
		var call *CallError
		if errors.As(err, &call) && call.Code == dxgiNotFound {
			return nil, Adapter{}, fmt.Errorf("%w among %d: %s", ErrNoAdapter, i, chosen)
		}
		if err != nil {
			return nil, Adapter{}, err
		}
		found, a, err := tryAdapter(adapter, &w)
		adapter.release()
		if err != nil || found != nil {
			a.Chosen = chosen
			return found, a, err
		}
	}
}

// tryAdapter returns the IDXGIAdapter3 of an adapter that matches, nil of another.
func tryAdapter(adapter *object, w *wanted) (*object, Adapter, error) {
	a, software, err := describe(adapter)
	if err != nil || !w.matches(a.LUID, software) {
		return nil, Adapter{}, err
	}
	found, err := adapter.queryInterface(&iidAdapter3, "IDXGIAdapter3")
	if err != nil {
		return nil, Adapter{}, fmt.Errorf("%s: %w", a.Name, err)
	}
	return found, a, nil
}
