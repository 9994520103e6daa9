package av

// #include <libavutil/mem.h>
import "C"

import (
	"fmt"
	"unsafe"
)

// Memory is a block from libavutil's allocator, aligned for its vector code. The zero value is
// empty. Not safe for concurrent use.
type Memory struct{ p unsafe.Pointer }

// Resize replaces the block by one of bytes, whose content is undefined.
func (m *Memory) Resize(bytes int) error {
	m.Free()
	m.p = C.av_malloc(C.size_t(bytes))
	if m.p == nil {
		return fmt.Errorf("out of memory asking for %d bytes", bytes)
	}
	return nil
}

// Ptr is the first byte.
func (m *Memory) Ptr() unsafe.Pointer { return m.p }

// Free returns the block. Idempotent.
func (m *Memory) Free() {
	C.av_free(m.p)
	m.p = nil
}
