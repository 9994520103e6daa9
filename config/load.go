package config

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"
)

// Load reads all layers: the file (the flag --config or PINRING_CONFIG names it, else pinring.yaml
// in the working directory, if any), the environment of the process, and the flags that AddFlags
// defined (nil: none). It returns all that is wrong at once, joined: *ValueError, *UnknownError,
// *FileError.
func Load(flags *pflag.FlagSet) (*Loaded, error) {
	l := &loader{v: viper.New(), flags: flags, found: map[string]Origin{}, out: &Loaded{origins: map[string]Origin{}}}
	l.defaults()
	l.file()
	l.environment()
	l.commandLine()
	l.resolve()
	if len(l.errs) > 0 {
		return nil, errors.Join(l.errs...)
	}
	return l.out, nil
}

// loader is one Load under way: the layers are given to viper, which decides which one wins.
type loader struct {
	v     *viper.Viper
	flags *pflag.FlagSet
	found map[string]Origin // the highest layer that has the key, so far
	out   *Loaded
	errs  []error
}

func (l *loader) fail(err error) { l.errs = append(l.errs, err) }

func (l *loader) defaults() {
	for i := range settings {
		s := &settings[i]
		l.v.SetDefault(s.key, s.defaultRaw())
		l.found[s.key] = Origin{Layer: LayerDefault}
	}
}

// fileName says which file to read, and whether it must exist.
func (l *loader) fileName() (name string, must bool) {
	if l.flags != nil {
		if f := l.flags.Lookup(FlagConfig); f != nil && f.Changed {
			return f.Value.String(), true
		}
	}
	if name, ok := os.LookupEnv(EnvFile); ok {
		return name, true
	}
	return DefaultFile, false
}

func (l *loader) file() {
	name, must := l.fileName()
	entries, err := readFile(name, must)
	if err != nil {
		l.fail(err)
		return
	}
	if entries != nil {
		l.out.File = name
	}
	layer := map[string]any{}
	for i := range entries {
		e := &entries[i]
		origin := Origin{Layer: LayerFile, Name: name, Line: e.line}
		s := find(e.key)
		if s == nil {
			l.fail(&UnknownError{Name: e.key, Origin: origin, Nearest: Nearest(e.key, Keys())})
			continue
		}
		if l.plain(s, e, origin) && l.try(s, e.raw, origin) {
			layer[e.key] = e.raw
		}
	}
	// MergeConfigMap fails on keys with several parts only, which are unknown and left out above.
	if err := l.v.MergeConfigMap(layer); err != nil {
		l.fail(&FileError{File: name, Problem: err.Error(), Err: err})
	}
}

// plain reports whether an entry of the file is a value at all.
func (l *loader) plain(s *setting, e *entry, origin Origin) bool {
	problem := ""
	switch {
	case e.deep:
		problem = "is not a plain value"
	case e.null:
		problem = "is no value"
	default:
		return true
	}
	l.fail(&ValueError{Key: s.key, Value: strings.Join(e.raw, ","), Origin: origin, Problem: problem, Allowed: s.allowed})
	return false
}

func (l *loader) environment() {
	l.errs = append(l.errs, unknownVariables(os.Environ())...)
	l.v.AllowEmptyEnv(true) // PINRING_FILTER= is a choice: no filter
	for i := range settings {
		s := &settings[i]
		name := envName(s.key)
		if text, ok := os.LookupEnv(name); ok {
			l.try(s, split(s, text), Origin{Layer: LayerEnvironment, Name: name})
		}
		if err := l.v.BindEnv(s.key, name); err != nil { // fails without arguments only
			l.fail(err)
		}
	}
}

// split takes a list apart that had to be written as one text.
func split(s *setting, text string) []string {
	switch {
	case !s.isList():
		return []string{text}
	case text == "":
		return nil
	}
	return strings.Split(text, ",")
}

func (l *loader) commandLine() {
	if l.flags == nil {
		return
	}
	for i := range settings {
		s := &settings[i]
		f := l.flags.Lookup(s.key)
		if f == nil {
			continue
		}
		t, ours := f.Value.(*flagText)
		if !ours {
			continue // left out of AddFlags, and the command has a flag of that name
		}
		if f.Changed {
			l.try(s, t.text, Origin{Layer: LayerFlag, Name: "--" + s.key})
		}
		if err := l.v.BindFlagValue(s.key, viperFlag{f}); err != nil { // fails without a flag only
			l.fail(err)
		}
	}
}

// try parses and checks the value that one layer has for a setting. Each layer is checked, hidden
// by a later one or not: a mistake should not wait for the day when it is no longer hidden.
func (l *loader) try(s *setting, raw []string, origin Origin) bool {
	l.found[s.key] = origin
	var c Config
	err := s.field(&c).set(raw)
	if err == nil && s.check != nil {
		err = s.check(&c)
	}
	if err != nil {
		l.fail(&ValueError{Key: s.key, Value: strings.Join(raw, ","), Origin: origin, Problem: err.Error(), Allowed: s.allowed})
	}
	return err == nil
}

// resolve takes for each setting the value of the layer that wins.
func (l *loader) resolve() {
	for i := range settings {
		s := &settings[i]
		var raw []string
		switch text := l.v.Get(s.key).(type) {
		case string: // the environment, or a flag
			raw = []string{text}
			if l.found[s.key].Layer == LayerEnvironment {
				raw = split(s, text)
			}
		case []string:
			raw = text
		}
		if err := s.field(&l.out.Config).set(raw); err != nil && len(l.errs) == 0 {
			l.fail(&ValueError{Key: s.key, Value: strings.Join(raw, ","), Origin: l.found[s.key], Problem: err.Error(), Allowed: s.allowed})
		}
		l.out.origins[s.key] = l.found[s.key]
	}
}
