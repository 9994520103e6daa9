package config

import (
	"errors"
	"strconv"
	"strings"
)

// value is the spelling of one field: what a layer's text means, and back.
type value interface {
	// set parses what a layer holds: one text, for a List any number.
	set(raw []string) error
	// String is a text that set understands and that means the same.
	String() string
	// plain is the value for JSON: a bool, number, string, list, or nil for "left to the program".
	plain() any
}

var errSeveral = errors.New("is a list, but one value is needed")

// one returns the only element of raw.
func one(raw []string) (string, error) {
	if len(raw) != 1 {
		return "", errSeveral
	}
	return raw[0], nil
}

// Text is a setting that is a word, a name or a chain.
type Text string

func (t *Text) set(raw []string) error {
	s, err := one(raw)
	if err != nil {
		return err
	}
	if strings.ContainsRune(s, 0) {
		return errors.New("holds a NUL character")
	}
	*t = Text(s)
	return nil
}

func (t *Text) String() string { return string(*t) }

func (t *Text) plain() any {
	if *t == "" || *t == Auto {
		return nil
	}
	return string(*t)
}

// Switch is a setting that is on or off.
type Switch bool

func (b *Switch) set(raw []string) error {
	s, err := one(raw)
	if err != nil {
		return err
	}
	v, err := strconv.ParseBool(s)
	if err != nil {
		return errors.New("is neither true nor false")
	}
	*b = Switch(v)
	return nil
}

func (b *Switch) String() string { return strconv.FormatBool(bool(*b)) }
func (b *Switch) plain() any     { return bool(*b) }

// List is a setting that may be given several times.
type List []string

func (l *List) set(raw []string) error {
	if len(raw) == 1 && raw[0] == "" {
		raw = nil // one empty text empties the list of an earlier layer
	}
	*l = append(List(nil), raw...)
	return nil
}

func (l *List) String() string { return strings.Join(*l, ",") }
func (l *List) plain() any     { return append([]string{}, *l...) }
