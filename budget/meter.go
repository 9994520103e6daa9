package budget

// Meter reports how full one or more domains are. A [Panel] calls it from one goroutine at a
// time.
type Meter interface {
	// Name identifies the meter in messages: "NVML", "host memory".
	Name() string
	// Read appends one reading for each domain that the meter knows to buf and returns it. It
	// must not allocate once buf is large enough, and sets all fields but At. On error what
	// it appended is ignored.
	Read(buf []Reading) ([]Reading, error)
}

// Notifier is a [Meter] that the system tells of changes, such as another budget. Changed reports
// whether there was one since it was last called. It is called at every [Panel.Read] before the
// meter's interval is over, so it must neither wait nor allocate.
type Notifier interface {
	Meter
	Changed() bool
}

// MeterFunc makes a meter of one domain from a function that asks for usage and budget in bytes.
func MeterFunc(name string, d Domain, twin string, ask func() (usage, budget int64, err error)) Meter {
	return &funcMeter{name: name, domain: d, twin: twin, ask: ask}
}

type funcMeter struct {
	name, twin string
	domain     Domain
	ask        func() (usage, budget int64, err error)
}

func (m *funcMeter) Name() string { return m.name }

func (m *funcMeter) Read(buf []Reading) ([]Reading, error) {
	usage, budget, err := m.ask()
	if err != nil {
		return buf, err
	}
	return append(buf, MakeReading(m.domain, usage, budget, m.name, m.twin)), nil
}
