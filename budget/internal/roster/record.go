package roster

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// NumValues is how many numbers a record holds.
const NumValues = 48

// Values are a process's numbers. None may be negative.
type Values [NumValues]int64

// A record is magic, version, pid, the values and a checksum, little endian.
const (
	magic      = "pinring\x01"
	recordSize = len(magic) + 8 + 8*NumValues + 4
)

var (
	errBroken   = errors.New("not a record of this version")
	errNegative = errors.New("a record with a number below zero")
)

func encode(pid int, v *Values) []byte {
	b := make([]byte, 0, recordSize)
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint64(b, uint64(pid))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, uint64(x))
	}
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

func decode(b []byte) (pid int, v Values, err error) {
	if len(b) != recordSize || string(b[:len(magic)]) != magic {
		return 0, v, errBroken
	}
	body, sum := b[:recordSize-4], binary.LittleEndian.Uint32(b[recordSize-4:])
	if crc32.ChecksumIEEE(body) != sum {
		return 0, v, errBroken
	}
	p := binary.LittleEndian.Uint64(body[len(magic):])
	if p == 0 || p > 1<<31 {
		return 0, v, errBroken
	}
	for i := range v {
		v[i] = int64(binary.LittleEndian.Uint64(body[len(magic)+8+8*i:]))
		if v[i] < 0 {
			return 0, v, errNegative
		}
	}
	return int(p), v, nil
}
