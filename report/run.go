package report

// Schema is the version of the JSON forms.
const Schema = 1

// Outcome says in one word how a run ended.
type Outcome string

// The outcomes.
const (
	OK          Outcome = "ok"
	Lost        Outcome = "lost"        // finished, but frames were lost
	OOM         Outcome = "oom"         // memory or the budget did not suffice
	Failed      Outcome = "error"       // any other error
	Interrupted Outcome = "interrupted" // by the user; what was done is complete and usable
	Skipped     Outcome = "skipped"     // the output was there already
	NotStarted  Outcome = "not_started" // the batch ended before its turn came
)

// MostSamples is how many points a curve may have.
const MostSamples = 2000

// Run is the result of processing one input. Its fields are in the order of the JSON form; a nil
// pointer is null there.
type Run struct {
	Schema   int     `json:"schema"`
	Version  string  `json:"version"`
	Outcome  Outcome `json:"outcome"`
	ExitCode int     `json:"exit_code"`
	Error    *Error  `json:"error"`
	Input    *Input  `json:"input"`
	// InputPath is the input as the command line named it, also when it could not be read.
	InputPath *string `json:"input_path"`
	Output    *string `json:"output"`
	// Partial is the name under which a part of the output was finished, nil when it is whole.
	Partial *string `json:"partial_output"`
	// Images is how many images are complete under their names, nil when the output is no images.
	Images *int64 `json:"images"`
	// DamagedPackets are packets of sound and subtitles that could not be decoded to be converted.
	DamagedPackets *int64     `json:"damaged_packets"`
	Chain          string     `json:"chain"`
	Device         *Device    `json:"device"`
	Emulated       bool       `json:"emulated"`
	Emulation      *Emulation `json:"emulation"`
	Staging        string     `json:"staging"`
	StagingFormat  *string    `json:"staging_format"`
	Guard          *Guard     `json:"guard"`
	Threads        *Threads   `json:"threads"`
	Frames         *Frames    `json:"frames"`
	Seconds        *float64   `json:"seconds"`
	FPS            *float64   `json:"fps"`
	// TransferFPS is the speed of the transfer path alone: frames by the seconds that copies up and
	// down, kernels, and allocations and frees for single frames took. Decoding, memcpy into staging
	// memory and the making of a ring are not in it. Nil where nothing is transferred.
	TransferFPS *float64   `json:"transfer_fps"`
	Stages      *Stages    `json:"stages"`
	InFlightMax *int       `json:"in_flight_max"`
	HostMemory  HostMemory `json:"host_memory"`
	Budget      *Budget    `json:"budget"`
	// LargestDeviceAllocBytes is the largest device allocation that was still possible while the
	// run's host memory was in place.
	LargestDeviceAllocBytes *int64 `json:"largest_device_alloc_bytes"`
	// SeriesDomain is what Series is about: local, shared or host. Series of different domains are
	// not compared.
	SeriesDomain *string `json:"series_domain"`
	// Series is at most MostSamples long ([Thin]); nil when nothing was measured.
	Series      []Sample  `json:"series"`
	OutOfMemory *OutOfMem `json:"oom"`
}

// Error is what ended a run early.
type Error struct {
	Stage   string  `json:"stage"` // device, staging, input, output, process, config
	Frame   *int64  `json:"frame"` // index of the frame, when it was about one
	Message string  `json:"message"`
	Hint    *string `json:"hint"` // what to do
}

// Input describes the stream that was read.
type Input struct {
	Path        string   `json:"path"`
	Container   string   `json:"container"`
	Stream      int      `json:"stream"` // index of the video stream
	Codec       string   `json:"codec"`
	PixelFormat string   `json:"pixel_format"`
	Width       int      `json:"width"`
	Height      int      `json:"height"`
	FrameRate   *float64 `json:"frame_rate"` // nominal; null when unknown
}

// Device is what processed the frames.
type Device struct {
	Kind string `json:"kind"` // cpu, cuda
	Name string `json:"name"`
	// DriverModel is who manages the device's memory: Linux, WDDM, WSL2, TCC, MCDM; nil when
	// there is no driver or it is not known.
	DriverModel *string `json:"driver_model"`
	// FromFrame is how many frames the CPU had processed when this device came; nil when it was there from the
	// beginning.
	FromFrame *int64 `json:"from_frame"`
}

// Emulation says which card was played, and how.
type Emulation struct {
	Profile string `json:"profile"`
	Mode    string `json:"mode"`
	Clock   string `json:"clock"`
	Segment string `json:"segment"`
}

// Guard is the setting of the budget guard.
type Guard struct {
	Mode   string `json:"mode"`
	Policy string `json:"policy"`
}

// Threads are the threads that a run used.
type Threads struct {
	Decoder int `json:"decoder"`
	Cores   int `json:"cores"` // that the program may use
}

// Frames counts them. Decoded = Delivered + Discarded + FilterDropped - FilterAdded.
type Frames struct {
	Decoded         int64 `json:"decoded"`
	Delivered       int64 `json:"delivered"`
	Discarded       int64 `json:"discarded"`
	Concealed       int64 `json:"concealed"`
	Undecodable     int64 `json:"undecodable"` // packets that the decoder could make nothing of; not in Decoded
	Repeated        int64 `json:"repeated"`    // show the picture before in place of a damaged or lost one
	Trimmed         int64 `json:"trimmed"`     // decoded only to get to the start; not in Decoded
	FilterDropped   int64 `json:"filter_dropped"`
	FilterAdded     int64 `json:"filter_added"`
	OutsideSlots    int64 `json:"outside_slots"` // decoded into other memory than a lent slot
	Degraded        int64 `json:"degraded"`      // staged in pageable memory because the guard asked for it
	BandedUp        int64 `json:"banded_up"`     // went up in row bands, since the cap has no room for whole pictures
	BandedDown      int64 `json:"banded_down"`
	CopiedToSlot    int64 `json:"copied_to_slot"`
	CopiedToEncoder int64 `json:"copied_to_encoder"`
}

// Stages says how long each stage was busy, which may overlap. A stage that was not measured is nil.
type Stages struct {
	Decode   *Busy `json:"decode"`
	Memcpy   *Busy `json:"memcpy"`
	Upload   *Busy `json:"upload"`
	Kernels  *Busy `json:"kernels"`
	Download *Busy `json:"download"`
	Encode   *Busy `json:"encode"`
}

// Busy is the time of one stage.
type Busy struct {
	Seconds float64 `json:"busy_seconds"`
}

// HostMemory is the page-locked memory of both directions.
type HostMemory struct {
	Upload   *Ring `json:"upload"`
	Download *Ring `json:"download"`
}

// Ring is one direction's slots. Allocs and Frees are those before the close.
type Ring struct {
	Slots           int    `json:"slots"`
	SlotBytes       int64  `json:"slot_bytes"`
	PinnedPeakBytes int64  `json:"pinned_peak_bytes"`
	Allocs          int64  `json:"allocs"`
	Frees           int64  `json:"frees"`
	AllocMicros     *Times `json:"alloc_us"`
	FreeMicros      *Times `json:"free_us"`
}

// Times summarises durations, in microseconds.
type Times struct {
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

// Budget is what the budget guard saw and did.
type Budget struct {
	Limiting         string  `json:"limiting"` // the domain with the least headroom: local, shared, host
	MinHeadroomBytes int64   `json:"min_headroom_bytes"`
	MinHeadroomFrame *int64  `json:"min_headroom_frame"` // at whose admission it was lowest
	Source           *string `json:"source"`             // the meter's question: cuMemGetInfo, DXGI LOCAL
	Twin             *string `json:"twin"`               // where a person sees the same number outside
	ThrottledSeconds float64 `json:"throttled_seconds"`  // that admissions were delayed, on the run's clock
	// TransitionCount counts all, also those beyond what Transitions keeps; nil: Transitions has all.
	TransitionCount *int64       `json:"transition_count"`
	Transitions     []Transition `json:"transitions"`
}

// Transition is a change of the guard's phase (clear, throttle, hold, exhausted) or of its level
// (full, shrunk, pageable).
type Transition struct {
	Frame         int64   `json:"frame"` // the frame at the door
	T             float64 `json:"t"`     // seconds
	From          string  `json:"from"`
	To            string  `json:"to"`
	Level         string  `json:"level"` // after the change
	Domain        string  `json:"domain"`
	HeadroomBytes *int64  `json:"headroom_bytes"`
	Why           string  `json:"why"`
}

// Sample is one point of the curve of use and budget.
type Sample struct {
	Frame  int64   `json:"frame"`
	T      float64 `json:"t"` // seconds
	Usage  int64   `json:"usage"`
	Budget int64   `json:"budget"`
}

// OutOfMem is the request that could not be met.
type OutOfMem struct {
	Frame               *int64 `json:"frame"`
	RequestedBytes      int64  `json:"requested_bytes"`
	UsageBytes          *int64 `json:"usage_bytes"`
	BudgetBytes         *int64 `json:"budget_bytes"`
	PendingReclaimBytes *int64 `json:"pending_reclaim_bytes"`
	// Domain is what was exhausted: local, shared, host; nil when the driver did not say.
	Domain *string `json:"domain"`
	Call   string  `json:"call"`
	Code   int     `json:"code"`
}
