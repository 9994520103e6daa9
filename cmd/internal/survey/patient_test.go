package survey

import (
	"errors"
	"testing"
	"time"

	"github.com/pinring/pinring/budget"
)

// A meter that stops to answer ends its own line and nobody else's, and is waited for once.
func TestAMeterThatHangs(t *testing.T) {
	asked, release := 0, make(chan struct{})
	hangs := budget.MeterFunc("hangs", budget.DeviceLocal, "", func() (usage, limit int64, err error) {
		if asked++; asked > 2 {
			<-release
		}
		return 1, 2, nil
	})
	lives := budget.MeterFunc("lives", budget.HostRAM, "", func() (usage, limit int64, err error) { return 1, 2, nil })
	w := &curves{began: time.Now(), step: 1, meters: patients([]budget.Meter{hangs, lives})}
	w.meters[0].limit = 20 * time.Millisecond
	for range 10 {
		w.read()
	}
	close(release)
	if len(w.lines) != 2 || len(w.lines[0].Points) != 2 || len(w.lines[1].Points) != 10 {
		t.Errorf("%+v", w.lines)
	}
	if s := w.silent(); len(s) != 1 || s[0] != "hangs: no answer in time; its line ends there" {
		t.Error(s)
	}
}

func TestWithin(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	if _, err := within(time.Millisecond, func() (int, error) { <-release; return 0, nil }); !errors.Is(err, errSilent) {
		t.Error(err)
	}
}
