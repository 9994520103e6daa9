package dxgi

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/pinring/pinring/budget"
)

// videoMemoryInfo is DXGI_QUERY_VIDEO_MEMORY_INFO of dxgi1_4.h, in bytes.
type videoMemoryInfo struct {
	Budget                  uint64 // what Windows lets this process have, now
	CurrentUsage            uint64 // of this process
	AvailableForReservation uint64
	CurrentReservation      uint64
}

var _ [32]byte = [unsafe.Sizeof(videoMemoryInfo{})]byte{}

// segment is one of the two groups of an adapter's memory.
type segment struct {
	group        uint32 // DXGI_MEMORY_SEGMENT_GROUP of dxgi1_4.h
	domain       budget.Domain
	source, twin string
}

var (
	localSegment = segment{group: 0, domain: budget.DeviceLocal, source: "DXGI LOCAL",
		twin: "Task Manager Details, Dedicated GPU memory of the process"}
	nonLocalSegment = segment{group: 1, domain: budget.DeviceShared, source: "DXGI NON_LOCAL",
		twin: "Task Manager Details, Shared GPU memory of the process"}
)

// reading turns an answer into a reading, or says why it cannot be true.
func (s *segment) reading(i *videoMemoryInfo) (budget.Reading, error) {
	if i.Budget > math.MaxInt64 || i.CurrentUsage > math.MaxInt64 {
		return budget.Reading{}, fmt.Errorf("%s reports a budget of %#x and %#x bytes in use, more than any machine has", s.source, i.Budget, i.CurrentUsage)
	}
	r := budget.MakeReading(s.domain, int64(i.CurrentUsage), int64(i.Budget), s.source, s.twin)
	return r, r.Check()
}

// appendReadings appends LOCAL, which must be true, and NON_LOCAL where it can be true: adapters
// without shared memory report a budget of 0 for it, and that limits nothing.
func appendReadings(buf []budget.Reading, local, nonLocal *videoMemoryInfo) ([]budget.Reading, error) {
	r, err := localSegment.reading(local)
	if err != nil {
		return buf, err
	}
	buf = append(buf, r)
	if nonLocal.Budget == 0 { // an error for it would be made, and dropped, at each reading
		return buf, nil
	}
	if r, err = nonLocalSegment.reading(nonLocal); err != nil {
		return buf, nil
	}
	return append(buf, r), nil
}
