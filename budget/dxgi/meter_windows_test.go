//go:build amd64 || arm64

package dxgi

import (
	"errors"
	"os"
	"testing"

	"github.com/pinring/pinring/budget"
)

// These tests run on Windows with a card, or under wine, whose DXGI has one of the size that
// scripts/wine-prefix.sh sets. PINRING_TEST_WINE=1 makes it a failure that there is none.
func open(t *testing.T, o Options) *Meter {
	t.Helper()
	m, err := Open(o)
	if err != nil && os.Getenv("PINRING_TEST_WINE") != "1" {
		t.Skipf("no adapter to test: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

func TestMeterReads(t *testing.T) {
	m := open(t, Options{})
	a := m.Adapter()
	t.Logf("%+v", a)
	if a.Name == "" || a.LUID == (LUID{}) || a.DedicatedBytes <= 0 {
		t.Errorf("the adapter is not described: %+v", a)
	}
	readings, err := m.Read(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range readings {
		t.Log(r)
		if err := r.Check(); err != nil {
			t.Error(err)
		}
	}
	if len(readings) == 0 || readings[0].Domain != budget.DeviceLocal || readings[0].Source != "DXGI LOCAL" {
		t.Errorf("readings %+v do not begin with LOCAL", readings)
	}
	if os.Getenv("PINRING_TEST_WINE") == "1" && readings[0].Budget != 8<<30 {
		t.Errorf("the budget is %d bytes, and wine was told 8 GiB", readings[0].Budget)
	}
	if n := testing.AllocsPerRun(50, func() { readings, err = m.Read(readings[:0]) }); n != 0 || err != nil {
		t.Errorf("a reading allocates %v times, %v", n, err)
	}
}

// TestMeterByLUID finds the adapter again by what cuDeviceGetLuid would say.
func TestMeterByLUID(t *testing.T) {
	first := open(t, Options{}).Adapter()
	again := open(t, Options{LUID: first.LUID.Bytes()}).Adapter()
	if again.LUID != first.LUID || again.Name != first.Name {
		t.Errorf("by LUID: %+v, want %+v", again, first)
	}
	if _, err := Open(Options{LUID: []byte{9, 9, 9, 9, 9, 9, 9, 9}}); !errors.Is(err, ErrNoAdapter) {
		t.Errorf("an unknown LUID: %v", err)
	}
	if _, err := Open(Options{Index: 1000}); !errors.Is(err, ErrNoAdapter) {
		t.Errorf("an unknown index: %v", err)
	}
}

func TestMeterNotifies(t *testing.T) {
	m := open(t, Options{})
	if err := m.NotificationError(); err != nil {
		t.Logf("no notification: %v", err)
	} else {
		m.Changed() // there may have been one
	}
	if m.NotificationError() != nil && m.Changed() {
		t.Error("a change was announced without a registration")
	}
	m.Close()
	if m.Changed() {
		t.Error("a change was announced after Close")
	}
	if _, err := m.Read(nil); !errors.Is(err, ErrClosed) {
		t.Errorf("Read after Close = %v", err)
	}
	m.Close()
}

// TestCountersOpen: where the counters are missing the error says which, and calls nothing more.
func TestCountersOpen(t *testing.T) {
	m := open(t, Options{})
	a := m.Adapter()
	c, err := OpenCounters(Options{LUID: a.LUID.Bytes(), DedicatedTotal: a.DedicatedBytes, SharedTotal: max(a.SharedBytes, 1<<30)})
	if err != nil {
		var call *CallError
		if !errors.As(err, &call) {
			t.Errorf("%v does not name the call", err)
		}
		t.Skip(err)
	}
	defer c.Close()
	readings, err := c.Read(nil)
	t.Log(readings, err)
	if err == nil && len(readings) != 2 {
		t.Errorf("%d readings, want dedicated and shared", len(readings))
	}
	c.Close()
	if _, err := c.Read(nil); !errors.Is(err, ErrClosed) {
		t.Errorf("Read after Close = %v", err)
	}
}
