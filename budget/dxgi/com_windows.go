//go:build amd64 || arm64

package dxgi

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// object is a COM object: its first word points to its vtable. It lives outside of Go's memory.
type object struct{ vtable unsafe.Pointer }

// method is the address of the vtable's entry i. Callers convert pointers to uintptr in the
// argument list of syscall.SyscallN itself, which keeps them alive and in place; a helper that
// takes them as uintptr would not.
func (o *object) method(i uintptr) uintptr {
	return *(*uintptr)(unsafe.Add(o.vtable, i*unsafe.Sizeof(uintptr(0))))
}

// queryInterface returns another interface of the object, which the caller releases.
func (o *object) queryInterface(iid *windows.GUID, name string) (*object, error) {
	var other *object
	r, _, _ := syscall.SyscallN(o.method(unknownQueryInterface), uintptr(unsafe.Pointer(o)),
		uintptr(unsafe.Pointer(iid)), uintptr(unsafe.Pointer(&other)))
	return other, failed("QueryInterface("+name+")", uint32(r))
}

func (o *object) release() {
	syscall.SyscallN(o.method(unknownRelease), uintptr(unsafe.Pointer(o)))
}

// The vtable of IDXGIFactory1 (dxgi.h): IUnknown (unknwn.h), IDXGIObject, IDXGIFactory, its own.
const (
	unknownQueryInterface = iota
	unknownAddRef
	unknownRelease
	objectSetPrivateData
	objectSetPrivateDataInterface
	objectGetPrivateData
	objectGetParent
	factoryEnumAdapters
	factoryMakeWindowAssociation
	factoryGetWindowAssociation
	factoryCreateSwapChain
	factoryCreateSoftwareAdapter
	factoryEnumAdapters1
	factoryIsCurrent
)

// The vtable of IDXGIAdapter3 after IDXGIObject: IDXGIAdapter and IDXGIAdapter1 (dxgi.h),
// IDXGIAdapter2 (dxgi1_2.h), its own (dxgi1_4.h).
const (
	adapterEnumOutputs = iota + objectGetParent + 1
	adapterGetDesc
	adapterCheckInterfaceSupport
	adapterGetDesc1
	adapterGetDesc2
	adapterRegisterHardwareContentProtectionTeardownStatusEvent
	adapterUnregisterHardwareContentProtectionTeardownStatus
	adapterQueryVideoMemoryInfo
	adapterSetVideoMemoryReservation
	adapterRegisterVideoMemoryBudgetChangeNotificationEvent
	adapterUnregisterVideoMemoryBudgetChangeNotification
)

// A method out of place would call another one with our arguments.
var (
	_ [12]struct{} = [factoryEnumAdapters1]struct{}{}
	_ [10]struct{} = [adapterGetDesc1]struct{}{}
	_ [14]struct{} = [adapterQueryVideoMemoryInfo]struct{}{}
	_ [17]struct{} = [adapterUnregisterVideoMemoryBudgetChangeNotification]struct{}{}
)

var (
	// iidFactory1 is IID_IDXGIFactory1 of dxgi.h, 770aae78-f26f-4dba-a829-253c83d1b387.
	iidFactory1 = windows.GUID{Data1: 0x770aae78, Data2: 0xf26f, Data3: 0x4dba,
		Data4: [8]byte{0xa8, 0x29, 0x25, 0x3c, 0x83, 0xd1, 0xb3, 0x87}}
	// iidAdapter3 is IID_IDXGIAdapter3 of dxgi1_4.h, 645967a4-1392-4310-a798-8053ce3e93fd.
	iidAdapter3 = windows.GUID{Data1: 0x645967a4, Data2: 0x1392, Data3: 0x4310,
		Data4: [8]byte{0xa7, 0x98, 0x80, 0x53, 0xce, 0x3e, 0x93, 0xfd}}
)

// adapterDesc1 is DXGI_ADAPTER_DESC1 of dxgi.h.
type adapterDesc1 struct {
	Description           [128]uint16
	VendorID              uint32
	DeviceID              uint32
	SubSysID              uint32
	Revision              uint32
	DedicatedVideoMemory  uintptr
	DedicatedSystemMemory uintptr
	SharedSystemMemory    uintptr
	AdapterLUID           windows.LUID
	Flags                 uint32 // DXGI_ADAPTER_FLAG
}

var (
	_ [312]byte = [unsafe.Sizeof(adapterDesc1{})]byte{}
	_ [272]byte = [unsafe.Offsetof(adapterDesc1{}.DedicatedVideoMemory)]byte{}
	_ [296]byte = [unsafe.Offsetof(adapterDesc1{}.AdapterLUID)]byte{}
	_ [304]byte = [unsafe.Offsetof(adapterDesc1{}.Flags)]byte{}
)

// DXGI_ADAPTER_FLAG_REMOTE and DXGI_ADAPTER_FLAG_SOFTWARE of dxgi.h: not a card of this machine.
const notHardware = 1 | 2
