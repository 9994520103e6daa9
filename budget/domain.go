package budget

// Domain is a purse that memory is charged to.
type Domain uint8

// The domains.
const (
	DeviceLocal  Domain = iota // the device's own memory; DXGI's LOCAL segment
	DeviceShared               // host memory that the device may map; DXGI's NON_LOCAL segment
	HostRAM                    // the host's memory
	NumDomains   = 3
)

var domainNames = [NumDomains]string{"local", "shared", "host"}

// String is the domain's name as in JSON: local, shared, host.
func (d Domain) String() string {
	if int(d) < len(domainNames) {
		return domainNames[d]
	}
	return "unknown"
}

var domainTitles = [NumDomains]string{
	"device memory (LOCAL)", "shared GPU memory (NON_LOCAL)", "host RAM",
}

// Title is the domain's name for people.
func (d Domain) Title() string {
	if int(d) < len(domainTitles) {
		return domainTitles[d]
	}
	return "unknown memory"
}

// OfDevice reports whether pinned memory is what fills the domain, so that pageable staging
// relieves it.
func (d Domain) OfDevice() bool { return d == DeviceLocal || d == DeviceShared }
