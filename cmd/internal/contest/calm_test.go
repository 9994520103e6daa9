package contest

import (
	"context"
	"errors"
	"testing"

	"github.com/pinring/pinring/gpu"
)

// card has the given bytes in use, one figure for each question.
type card struct {
	gpu.Device
	unified bool
	used    *[]int64
	closed  *int
}

func (c card) Info() gpu.Info { return gpu.Info{Unified: c.unified} }
func (c card) Close() error   { *c.closed++; return nil }
func (c card) MemInfo() (gpu.MemInfo, error) {
	if len(*c.used) == 0 {
		return gpu.MemInfo{}, errors.New("asked too often")
	}
	n := (*c.used)[0]
	*c.used = (*c.used)[1:]
	return gpu.MemInfo{Total: 1 << 40, Free: 1<<40 - n}, nil
}

func TestCalm(t *testing.T) {
	used, opened, closed := []int64{100 << 20, 300 << 20, 200 << 20, 110 << 20}, 0, 0
	open := func(string) (gpu.Device, string, error) {
		opened++
		return card{used: &used, closed: &closed}, "", nil
	}
	c, err := NewCalm(open, "cuda")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Wait(t.Context()); err != nil || len(used) != 0 {
		t.Errorf("Wait = %v with %v still to come", err, used)
	}
	used = []int64{300 << 20, 300 << 20, 300 << 20}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	if _, err := c.Wait(ctx); !errors.Is(err, why) {
		t.Errorf("Wait = %v", err)
	}
	if opened != closed || opened != 3 {
		t.Errorf("opened %d times, closed %d times", opened, closed)
	}
}

// TestCalmUnified: where all memory is the host's nothing is asked.
func TestCalmUnified(t *testing.T) {
	closed := 0
	c, err := NewCalm(func(string) (gpu.Device, string, error) {
		return card{unified: true, used: new([]int64), closed: &closed}, "", nil
	}, "cpu")
	if err != nil || closed != 1 {
		t.Fatal(err, closed)
	}
	if waited, err := c.Wait(t.Context()); err != nil || waited != 0 {
		t.Errorf("Wait = %v, %v", waited, err)
	}
}
