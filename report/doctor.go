package report

// Doctor is what was found on a machine, and what to set.
type Doctor struct {
	Schema  int     `json:"schema"`
	Version string  `json:"version"`
	Created *string `json:"created"`
	Verdict string  `json:"verdict"`
	Checks  []Check `json:"checks"`
	// Recommended are the settings that this machine suggests; nil where it suggests none.
	Recommended *Recommended `json:"recommended"`
}

// The levels of a check.
const (
	LevelOK      = "ok"
	LevelWarning = "warning"
	LevelProblem = "problem"
)

// Check is one line.
type Check struct {
	Name   string  `json:"name"`
	Level  string  `json:"level"` // ok, warning, problem
	Text   string  `json:"text"`
	Advice *string `json:"advice"` // what to do
}

// Recommended is a settings file.
type Recommended struct {
	File    string   `json:"file"`    // its content
	Reasons []string `json:"reasons"` // a sentence for each setting
}
