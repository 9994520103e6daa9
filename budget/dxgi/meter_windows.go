//go:build amd64 || arm64

package dxgi

import (
	"fmt"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/pinring/pinring/budget"
)

// Meter reads what Windows lets this process have of one adapter, and what the process has.
// With an interval, a panel asks again at once when Windows announces another budget; without one,
// at each Read. Safe for concurrent use. To be closed.
type Meter struct {
	desc Adapter

	mu              sync.Mutex
	adapter         *object // IDXGIAdapter3; nil once closed
	event           windows.Handle
	cookie          uint32 // may be 0 when registered
	notifyErr       error
	local, nonLocal videoMemoryInfo // here, and not on the stack, as Windows writes to them
}

var _ budget.Notifier = (*Meter)(nil)

// Open opens the adapter that the options choose. The error matches [ErrNoAdapter] when there is
// none, and [CallError] when a call failed.
func Open(o Options) (*Meter, error) {
	w, err := o.wanted()
	if err != nil {
		return nil, err
	}
	adapter, desc, err := findAdapter(w)
	if err != nil {
		return nil, fmt.Errorf("dxgi: %w", err)
	}
	m := &Meter{desc: desc, adapter: adapter}
	m.notifyErr = m.register()
	return m, nil
}

// register asks for an event at each change of the budget.
func (m *Meter) register() error {
	event, err := windows.CreateEvent(nil, 0, 0, nil) // auto-reset, not signalled
	if err != nil {
		return fmt.Errorf("dxgi: CreateEvent: %w", err)
	}
	r, _, _ := syscall.SyscallN(m.adapter.method(adapterRegisterVideoMemoryBudgetChangeNotificationEvent),
		uintptr(unsafe.Pointer(m.adapter)), uintptr(event), uintptr(unsafe.Pointer(&m.cookie)))
	if err := failed("IDXGIAdapter3::RegisterVideoMemoryBudgetChangeNotificationEvent", uint32(r)); err != nil {
		windows.CloseHandle(event)
		return fmt.Errorf("dxgi: %w", err)
	}
	m.event = event
	return nil
}

// Name is "DXGI".
func (m *Meter) Name() string { return "DXGI" }

// Adapter describes the adapter and says by what it was chosen.
func (m *Meter) Adapter() Adapter { return m.desc }

// NotificationError says why changes of the budget are not announced, nil when they are. Read does
// not need them.
func (m *Meter) NotificationError() error { return m.notifyErr }

// Changed reports whether Windows announced another budget since the last call, without waiting.
// It is always false where NotificationError is not nil, and after Close.
func (m *Meter) Changed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.event == 0 {
		return false
	}
	r, err := windows.WaitForSingleObject(m.event, 0)
	return err == nil && r == windows.WAIT_OBJECT_0
}

// Read appends LOCAL, and NON_LOCAL where the adapter has a plausible budget for it.
func (m *Meter) Read(buf []budget.Reading) ([]budget.Reading, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.adapter == nil {
		return buf, fmt.Errorf("dxgi: %w", ErrClosed)
	}
	if err := m.query(&localSegment, &m.local); err != nil {
		return buf, err
	}
	if err := m.query(&nonLocalSegment, &m.nonLocal); err != nil {
		return buf, err
	}
	return appendReadings(buf, &m.local, &m.nonLocal)
}

// query asks for one segment of node 0, the only one unless adapters are linked behind one LUID;
// the node mask that cuDeviceGetLuid gives for those is not looked at.
func (m *Meter) query(s *segment, info *videoMemoryInfo) error {
	*info = videoMemoryInfo{}
	const node = 0
	r, _, _ := syscall.SyscallN(m.adapter.method(adapterQueryVideoMemoryInfo), uintptr(unsafe.Pointer(m.adapter)),
		node, uintptr(s.group), uintptr(unsafe.Pointer(info)))
	if err := failed("IDXGIAdapter3::QueryVideoMemoryInfo", uint32(r)); err != nil {
		return fmt.Errorf("%s: %w", s.source, err)
	}
	return nil
}

// Close ends the notification and releases the adapter. Closing again does nothing.
func (m *Meter) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.adapter == nil {
		return
	}
	if m.event != 0 {
		syscall.SyscallN(m.adapter.method(adapterUnregisterVideoMemoryBudgetChangeNotification),
			uintptr(unsafe.Pointer(m.adapter)), uintptr(m.cookie))
		windows.CloseHandle(m.event)
		m.event = 0
	}
	m.adapter.release()
	m.adapter = nil
}
