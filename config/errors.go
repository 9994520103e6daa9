package config

import "fmt"

// ValueError is a value that cannot be used.
type ValueError struct {
	Key     string
	Value   string
	Origin  Origin
	Problem string // completes the sentence that begins with the value
	Allowed string
}

func (e *ValueError) Error() string {
	name := e.Key
	if e.Origin.Layer == LayerEnvironment || e.Origin.Layer == LayerFlag {
		name = e.Origin.Name // says the key itself
	} else if e.Origin.Layer == LayerFile {
		name = e.Origin.String() + ": " + e.Key
	}
	return fmt.Sprintf("%s: %q %s (allowed: %s)", name, e.Value, e.Problem, e.Allowed)
}

// UnknownError is a key of the file or a variable of the environment that is not a setting.
type UnknownError struct {
	Name    string
	Origin  Origin
	Nearest string // the most similar valid name, in the same spelling; empty when none is near
}

func (e *UnknownError) Error() string {
	var s string
	if e.Origin.Layer == LayerFile {
		s = fmt.Sprintf("%s: unknown key %q", e.Origin, e.Name)
	} else {
		s = fmt.Sprintf("unknown variable %s in the environment", e.Name)
	}
	if e.Nearest != "" {
		s += fmt.Sprintf(", the nearest is %q", e.Nearest)
	}
	return s
}

// FileError is a settings file that cannot be read as one.
type FileError struct {
	File    string
	Line    int // 0 when unknown
	Problem string
	Err     error // the cause, may be nil
}

func (e *FileError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem)
	}
	return fmt.Sprintf("%s: %s", e.File, e.Problem)
}

func (e *FileError) Unwrap() error { return e.Err }
