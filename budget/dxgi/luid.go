package dxgi

import (
	"encoding/binary"
	"fmt"
)

// LUID identifies an adapter until the next boot: LUID of winnt.h.
type LUID struct {
	Low  uint32
	High int32
}

// ParseLUID reads the 8 bytes that cuDeviceGetLuid gives: LowPart, then HighPart, little-endian.
func ParseLUID(b []byte) (LUID, error) {
	if len(b) != 8 {
		return LUID{}, fmt.Errorf("dxgi: a LUID has 8 bytes, not %d", len(b))
	}
	return LUID{Low: binary.LittleEndian.Uint32(b), High: int32(binary.LittleEndian.Uint32(b[4:]))}, nil
}

// Bytes is the inverse of [ParseLUID].
func (l LUID) Bytes() []byte {
	b := make([]byte, 0, 8)
	b = binary.LittleEndian.AppendUint32(b, l.Low)
	return binary.LittleEndian.AppendUint32(b, uint32(l.High))
}

// String is the LUID as in the names of performance counters: luid_0x00000000_0x0000D1E2.
func (l LUID) String() string { return fmt.Sprintf("luid_0x%08X_0x%08X", uint32(l.High), l.Low) }
