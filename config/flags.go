package config

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// FlagConfig is the flag that names the settings file. It is no setting itself.
const FlagConfig = "config"

// AddFlags defines a flag for each setting but those left out, and --config. The flags only keep
// their text: [Load] checks all layers alike.
func AddFlags(fs *pflag.FlagSet, leftOut ...string) {
	for i := range settings {
		s := &settings[i]
		if slices.Contains(leftOut, s.key) {
			continue
		}
		text := &flagText{list: s.isList(), kind: s.kind}
		if s.isSwitch() {
			text.kind = "bool" // the help shows no value
		}
		f := fs.VarPF(text, s.key, s.short, s.usage)
		f.DefValue = s.def
		if s.def == Auto || s.def == "false" || s.def == unlimited || s.def == never {
			f.DefValue = "" // says nothing that the usage does not
		}
		if s.isSwitch() {
			f.NoOptDefVal = "true"
		}
	}
	fs.String(FlagConfig, "", "read settings from `FILE` instead of "+DefaultFile)
}

// flagText holds the text of a flag, unchecked.
type flagText struct {
	list bool
	kind string
	text []string
}

func (f *flagText) Set(s string) error {
	if !f.list {
		f.text = f.text[:0]
	}
	f.text = append(f.text, s)
	return nil
}

// String gives lists in the form that viper takes apart.
func (f *flagText) String() string {
	if !f.list {
		return strings.Join(f.text, "")
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	// Writing to a buffer cannot fail.
	_ = w.Write(f.text)
	w.Flush()
	return "[" + strings.TrimSuffix(b.String(), "\n") + "]"
}

// Type stands for the value in the help text.
func (f *flagText) Type() string { return f.kind }

// viperFlag shows a flag to viper as text or list, whatever it is called in the help.
type viperFlag struct{ f *pflag.Flag }

func (v viperFlag) HasChanged() bool    { return v.f.Changed }
func (v viperFlag) Name() string        { return v.f.Name }
func (v viperFlag) ValueString() string { return v.f.Value.String() }
func (v viperFlag) ValueType() string {
	if t, ok := v.f.Value.(*flagText); ok && t.list {
		return "stringArray"
	}
	return "string"
}
