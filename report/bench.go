package report

// Bench is what a machine can do. Its fields are in the order of the JSON form. Rates are per second,
// times in microseconds; lists that were not measured are empty, with a reason in Notes.
type Bench struct {
	Schema      int     `json:"schema"`
	Version     string  `json:"version"`
	Command     *string `json:"command"`
	Created     *string `json:"created"`
	Device      *Device `json:"device"`
	Environment []Fact  `json:"environment"`

	Copies      []BenchCopies `json:"copies"`
	Allocations []BenchAlloc  `json:"allocations"`
	Ring        *BenchRing    `json:"ring"`
	Kernels     []BenchKernel `json:"kernels"`
	Input       *Input        `json:"input"`
	Stages      []BenchStage  `json:"stages"`
	// Limit is the stage that the run waited for; nil without an input.
	Limit *string  `json:"limit"`
	Notes []string `json:"notes"`
}

// BenchCopies are bytes per second on the device's clock; Both is the sum of the two directions at once.
type BenchCopies struct {
	Kind  string   `json:"kind"`
	Bytes int      `json:"bytes"`
	Up    float64  `json:"up_bytes_per_second"`
	Down  float64  `json:"down_bytes_per_second"`
	Both  *float64 `json:"both_bytes_per_second"`
}

// BenchAlloc is what allocating and freeing a buffer costs.
type BenchAlloc struct {
	Kind  string `json:"kind"`
	Bytes int    `json:"bytes"`
	Count int64  `json:"count"`
	Alloc *Times `json:"alloc_us"`
	Free  *Times `json:"free_us"`
}

// BenchRing is the ring's path without a decoder. The shares are those of pairs of rounds.
type BenchRing struct {
	Chain     string       `json:"chain"`
	Format    string       `json:"pixel_format"`
	Width     int          `json:"width"`
	Height    int          `json:"height"`
	UpBytes   int          `json:"up_bytes"`
	DownBytes int          `json:"down_bytes"`
	InFlight  int          `json:"in_flight"`
	Frames    int          `json:"frames_per_round"`
	FPS       float64      `json:"fps"`
	BareFPS   *float64     `json:"bare_fps"`
	Share     *BenchSpread `json:"share_of_bare"`
	ChurnFPS  float64      `json:"churn_fps"`
	OverChurn BenchSpread  `json:"over_churn"`
}

// BenchSpread is what the pairs of a comparison gave.
type BenchSpread struct {
	Least  float64 `json:"least"`
	Median float64 `json:"median"`
	Most   float64 `json:"most"`
}

// BenchKernel is a filter chain over a picture that is on the device.
type BenchKernel struct {
	Chain    string  `json:"chain"`
	Format   string  `json:"pixel_format"`
	Width    int     `json:"width"`
	Height   int     `json:"height"`
	Launches int     `json:"launches"`
	Micros   float64 `json:"us_per_picture"`
	Rate     float64 `json:"bytes_per_second"`
}

// BenchStage is what one stage alone could do, from the time that it was busy in a run of the input.
type BenchStage struct {
	Stage string  `json:"stage"`
	FPS   float64 `json:"fps"`
}
