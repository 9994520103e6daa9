package budget_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pinring/pinring/budget"
)

// A look at the memory, whatever the sources: here the program's own idea of a card stands in for
// cuMemGetInfo, NVML, DXGI or budget/host.
func ExampleRead() {
	card := budget.MeterFunc("cuMemGetInfo", budget.DeviceLocal, "nvidia-smi Memory-Usage",
		func() (usage, total int64, err error) {
			return 5200 * budget.MB, 8 * budget.GB, nil // ask the driver here
		})
	readings, err := budget.Read(card)
	if err != nil {
		fmt.Println(err) // names the meters that failed; the other readings are good
	}
	for _, r := range readings {
		fmt.Println(r)
	}
	// Output:
	// device memory (LOCAL): 5.20 GB of 8.00 GB in use, 2.80 GB left (cuMemGetInfo; compare nvidia-smi Memory-Usage)
}

// A meter that fails, or lies, is named and left out; the others are read.
func TestReadLeavesOutWhatFails(t *testing.T) {
	meter := func(name string, usage, total int64, err error) budget.Meter {
		return budget.MeterFunc(name, budget.DeviceLocal, "", func() (int64, int64, error) { return usage, total, err })
	}
	got, err := budget.Read(meter("first", 1, 10, nil), meter("broken", 0, 0, errors.New("it is gone")), meter("liar", 5, 0, nil), meter("last", 2, 10, nil))
	if len(got) != 2 || got[0].Source != "first" || got[1].Source != "last" || got[1].Headroom != 8 {
		t.Errorf("%+v", got)
	}
	if err == nil || !strings.Contains(err.Error(), "broken: it is gone") || !strings.Contains(err.Error(), "liar") {
		t.Error(err)
	}
	if got, err := budget.Read(); len(got) != 0 || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}
