package survey

import (
	"fmt"
	"runtime"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/report"
)

// facts are what figures depend on.
func (p *Program) facts(b *bench) []report.Fact {
	facts := []report.Fact{{Name: "system", Value: systemVersion()}, {Name: p.Name, Value: p.Version}}
	if b.dev != nil && b.card == nil {
		facts = append(facts, deviceFacts(b)...)
	}
	if p.Libraries != nil {
		facts = append(facts, p.Libraries()...)
	}
	return facts
}

func deviceFacts(b *bench) []report.Fact {
	i := b.dev.Info()
	facts := []report.Fact{{Name: "device", Value: i.Name}}
	if i.Kind != gpu.CUDA {
		return facts
	}
	if v := driverVersion(); v != "" {
		facts = append(facts, report.Fact{Name: "driver", Value: v})
	}
	return append(facts, report.Fact{Name: "CUDA", Value: cudaVersion(i.DriverAPI)}, report.Fact{Name: "driver model", Value: b.model.String()})
}

// cudaVersion writes 13000 as 13.0.
func cudaVersion(n int) string { return fmt.Sprintf("%d.%d", n/1000, n%1000/10) }

// platform is the system when nothing more is known of it.
func platform() string { return runtime.GOOS + "/" + runtime.GOARCH }
