package probe

import (
	"math"
	"unsafe"

	"github.com/pinring/pinring/gpu"
)

// Paper is a device on paper: it grants every request for memory, and there is no memory behind it. It
// is what an emulated card stands on where only the books matter, so that its experiments need
// neither a GPU nor memory, and are over at once. It has no streams, events or kernels.
func Paper() gpu.Device { return paper{} }

type paper struct{}

func (paper) Info() gpu.Info {
	return gpu.Info{Kind: gpu.CPU, Name: "no device: emulated on paper", Limits: gpu.Limits{HostAlign: 4096, DeviceAlign: 256}}
}

func (paper) MemInfo() (gpu.MemInfo, error) {
	return gpu.MemInfo{Free: math.MaxInt64, Total: math.MaxInt64}, nil
}

func (paper) AllocHost(bytes int, kind gpu.HostKind) (gpu.HostBuffer, error) {
	return sheet{bytes, kind}, nil
}
func (paper) Alloc(bytes int) (gpu.Buffer, error)  { return sheet{bytes, 0}, nil }
func (paper) NewStream() (gpu.Stream, error)       { return nil, gpu.ErrUnsupported }
func (paper) NewEvent(bool) (gpu.Event, error)     { return nil, gpu.ErrUnsupported }
func (paper) Load(gpu.Module) (gpu.Program, error) { return nil, gpu.ErrUnsupported }
func (paper) Close() error                         { return nil }

// sheet is memory that is not there.
type sheet struct {
	bytes int
	kind  gpu.HostKind
}

func (sheet) Addr() gpu.Addr       { return 0 }
func (s sheet) Bytes() int         { return s.bytes }
func (sheet) Free() error          { return nil }
func (sheet) Ptr() unsafe.Pointer  { return nil }
func (s sheet) Kind() gpu.HostKind { return s.kind }
func (sheet) DeviceAddr() gpu.Addr { return 0 }
