package config

import "fmt"

// Layer is one of the places that settings come from. Higher layers win.
type Layer int

// The layers.
const (
	LayerDefault Layer = iota
	LayerFile
	LayerEnvironment
	LayerFlag
)

var layerNames = [...]string{"default", "file", "environment", "flag"}

func (l Layer) String() string { return layerNames[l] }

// Origin is where a value was found.
type Origin struct {
	Layer Layer
	// Name is the file, the variable or the flag; empty for defaults.
	Name string
	// Line of the file, from 1; 0 elsewhere.
	Line int
}

// String is "default", "pinring.yaml:3", "PINRING_SLOTS" or "--slots".
func (o Origin) String() string {
	switch o.Layer {
	case LayerDefault:
		return layerNames[LayerDefault]
	case LayerFile:
		return fmt.Sprintf("%s:%d", o.Name, o.Line)
	default:
		return o.Name
	}
}
