package report

// Probe is what page-locked memory does to a machine. Its fields are in the order of the JSON form.
// Whoever fills it in calls [Probe.Conclude] at the end.
type Probe struct {
	Schema  int     `json:"schema"`
	Version string  `json:"version"`
	Command *string `json:"command"`
	Created *string `json:"created"`
	// Interrupted says that the user ended it: what is there was measured.
	Interrupted bool       `json:"interrupted"`
	Device      *Device    `json:"device"`
	Emulated    bool       `json:"emulated"`
	Emulation   *Emulation `json:"emulation"`
	// Environment is what the figures depend on: system, driver, CUDA.
	Environment []Fact `json:"environment"`
	// Sources are the meters as they were before anything was allocated; Missing says which cannot
	// be had, and why.
	Sources []Source     `json:"sources"`
	Missing []string     `json:"missing"`
	Rows    []ProbeRow   `json:"rows"`
	Room    *ProbeRoom   `json:"room"`
	Reuse   *ProbeFrames `json:"reuse"`
	Churn   *ProbeFrames `json:"churn"`
	// What follows is concluded from the above.
	Rings       []ProbeRing `json:"rings"`
	Claims      []Claim     `json:"claims"`
	Baseline    *Baseline   `json:"baseline"`
	Findings    []Finding   `json:"findings"`
	Verdict     *string     `json:"verdict"`
	NotModelled []string    `json:"not_modelled"`
}

// Source is one number of one meter: what is in use of a domain. Bytes.
type Source struct {
	Source   string `json:"source"` // the meter's question: cuMemGetInfo, NVML
	Domain   string `json:"domain"` // local, shared, host
	Twin     string `json:"twin"`   // where a person sees the same number outside
	Emulated bool   `json:"emulated"`
	Used     int64  `json:"used_bytes"`
	Free     int64  `json:"free_bytes"` // total minus used; negative when over it
	Total    int64  `json:"total_bytes"`
}

// ProbeRow is one allocation. Deltas are of the source that saw most of it, in each domain; nil where
// there is no source, or nothing was allocated.
type ProbeRow struct {
	Kind              string   `json:"kind"`
	Bytes             int64    `json:"bytes"`
	DeviceDeltaBytes  *int64   `json:"device_delta_bytes"`
	SharedDeltaBytes  *int64   `json:"shared_delta_bytes"`
	HostDeltaBytes    *int64   `json:"host_delta_bytes"`
	AllocMillis       *float64 `json:"alloc_ms"` // nil where there is no memory behind an emulated card
	FreeMillis        *float64 `json:"free_ms"`
	ReturnedAfter     *float64 `json:"returned_after_ms"` // the slowest source; nil: nothing to return, or it did not
	ReturnedWithin    *float64 `json:"returned_resolution_ms"`
	ReturnedNot       bool     `json:"not_returned"` // a source still showed it when the watch ended
	WatchedForSeconds float64  `json:"watch_limit_seconds"`
	Skipped           *string  `json:"skipped"` // why it was not tried
	Error             *string  `json:"error"`   // why it could not be had
	Traces            []Trace  `json:"meters"`
}

// Trace is what one source said before an allocation, while it was held, and straight after its free.
type Trace struct {
	Source        string   `json:"source"`
	Domain        string   `json:"domain"`
	BeforeBytes   int64    `json:"before_bytes"`
	HeldBytes     int64    `json:"held_bytes"`
	FreedBytes    int64    `json:"freed_bytes"`
	ReturnedAfter *float64 `json:"returned_after_ms"`
	Watched       bool     `json:"watched"`
}

func (t *Trace) growth() int64 { return t.HeldBytes - t.BeforeBytes }

// ProbeRoom is the largest device allocation beside host memory. Bytes, to 2 MiB.
type ProbeRoom struct {
	HeldBytes     int64   `json:"held_bytes"`
	NothingBytes  int64   `json:"nothing_bytes"`
	PageableBytes int64   `json:"pageable_bytes"`
	PinnedBytes   *int64  `json:"pinned_bytes"` // nil: the pinned memory could not be had
	Error         *string `json:"error"`
}

// ProbeFrames is a buffer allocated and freed for each frame, or three that are reused.
type ProbeFrames struct {
	Bytes          int64       `json:"bytes"` // of a buffer
	Frames         int64       `json:"frames"`
	Rate           float64     `json:"rate"` // frames a second
	Done           int64       `json:"done"`
	FailedAt       *int64      `json:"failed_at"`
	Error          *string     `json:"error"`
	SlopePerFrame  *float64    `json:"slope_bytes_per_frame"` // least squares, of Line; nil without a source
	SlopePerSecond *float64    `json:"slope_bytes_per_second"`
	GrowthBytes    *int64      `json:"growth_bytes"` // most minus first, of Line
	Line           *string     `json:"source"`       // the source that saw most
	Domain         *string     `json:"domain"`
	AllocMicros    *Times      `json:"alloc_us"`
	FreeMicros     *Times      `json:"free_us"`
	ReturnedAfter  *float64    `json:"returned_after_ms"`
	ReturnedNot    bool        `json:"not_returned"`
	Lines          []ProbeLine `json:"lines"`
}

// ProbeLine is one source over the frames.
type ProbeLine struct {
	Source   string   `json:"source"`
	Domain   string   `json:"domain"`
	Twin     string   `json:"twin"`
	PerFrame float64  `json:"slope_bytes_per_frame"`
	Points   []Sample `json:"points"` // at most MostSamples
}

// ProbeRing is what a ring of a size means here.
type ProbeRing struct {
	Bytes int64 `json:"bytes"`
	// CostBytes is what it takes of the domain; LeftBytes is what then is left of it.
	CostBytes int64  `json:"cost_bytes"`
	LeftBytes int64  `json:"left_bytes"`
	Domain    string `json:"domain"`
}

// Claim is one of the claims of the report by a Windows developer that this probe looks for.
type Claim struct {
	Number int    `json:"number"`
	Claim  string `json:"claim"`
	Here   string `json:"here"` // holds, does_not_hold, not_seen
	Why    string `json:"why"`
}

// What a claim can be.
const (
	Holds   = "holds"
	HoldNot = "does_not_hold"
	NotSeen = "not_seen"
)

// Baseline is what differs from an earlier probe.
type Baseline struct {
	Created *string        `json:"created"`
	Changes []string       `json:"changes"` // in sentences; empty: nothing to speak of
	Facts   []BaselineFact `json:"facts"`   // of the environment, those that differ
	Ratios  []BaselineRow  `json:"ratios"`  // of rows that both have
}

// BaselineFact is a line of the environment that differs; empty where one side has none.
type BaselineFact struct {
	Name string `json:"name"`
	Then string `json:"then"`
	Now  string `json:"now"`
}

// BaselineRow compares the charge for a byte in each domain, and the return.
type BaselineRow struct {
	Kind         string   `json:"kind"`
	Bytes        int64    `json:"bytes"`
	LocalThen    float64  `json:"local_ratio_then"`
	LocalNow     float64  `json:"local_ratio_now"`
	SharedThen   float64  `json:"shared_ratio_then"`
	SharedNow    float64  `json:"shared_ratio_now"`
	ReturnedThen *float64 `json:"returned_then_ms"`
	ReturnedNow  *float64 `json:"returned_now_ms"`
}
