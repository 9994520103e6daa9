package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/dustin/go-humanize"
)

// ByteSize is a number of bytes; 0, written "auto", leaves it to the program. Units follow the
// IEC: MiB is 1024 KiB, MB is 1000 kB, and a bare M is MB. A number without a unit is bytes.
type ByteSize int64

// ParseByteSize reads a size such as 64MiB, 2GiB, 1.5G or 6220800.
func ParseByteSize(s string) (ByteSize, error) {
	n, err := humanize.ParseBytes(s)
	if err != nil {
		return 0, errors.New("is not a size such as 64MiB, 2GiB or 6220800")
	}
	if n > math.MaxInt64 {
		return 0, errors.New("is larger than any memory")
	}
	return ByteSize(n), nil
}

func (b *ByteSize) set(raw []string) error {
	s, err := one(raw)
	if err != nil {
		return err
	}
	if s == Auto {
		*b = 0
		return nil
	}
	n, err := ParseByteSize(s)
	if err == nil && n == 0 {
		err = errors.New("is not positive")
	}
	*b = n
	return err
}

// String writes b exactly, in the largest IEC unit that divides it.
func (b *ByteSize) String() string {
	n := int64(*b)
	if n == 0 {
		return Auto
	}
	for _, u := range []struct {
		bytes int64
		name  string
	}{{humanize.TiByte, "TiB"}, {humanize.GiByte, "GiB"}, {humanize.MiByte, "MiB"}, {humanize.KiByte, "KiB"}} {
		if n%u.bytes == 0 {
			return fmt.Sprintf("%d%s", n/u.bytes, u.name)
		}
	}
	return strconv.FormatInt(n, 10)
}

func (b *ByteSize) plain() any { return numberOrNil(int64(*b)) }
