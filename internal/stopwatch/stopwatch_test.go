package stopwatch

import (
	"testing"
	"time"
)

// The smallest step is far below a millisecond, on a busy machine too, and none goes back.
func TestSteps(t *testing.T) {
	smallest := time.Hour
	for last, i := Now(), 0; i < 100_000; i++ {
		now := Now()
		if now < last {
			t.Fatalf("%v after %v", now, last)
		}
		if now > last {
			smallest = min(smallest, now-last)
		}
		last = now
	}
	if smallest > 50*time.Microsecond {
		t.Errorf("the smallest step is %v", smallest)
	}
}

// It is as fast as Go's clock, to the steps in which that one moves.
func TestAgreesWithGo(t *testing.T) {
	before, start := time.Now(), Now()
	after := time.Now()
	time.Sleep(300 * time.Millisecond)
	least, got := time.Since(after), Since(start)
	most := time.Since(before)
	const step = 20 * time.Millisecond
	if got < least-step || got > most+step {
		t.Errorf("%v passed, Go says %v to %v", got, least, most)
	}
}

func TestNothingIsAllocated(t *testing.T) {
	if n := testing.AllocsPerRun(1000, func() { Now() }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
