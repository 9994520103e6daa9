package config

import (
	"errors"
	"strconv"
)

var errNotWhole = errors.New("is not a whole number")

// Count is a number of things; 0, written "auto", leaves it to the program.
type Count int

func (c *Count) set(raw []string) error {
	n, err := wholeOr(Auto, raw)
	*c = Count(n)
	return err
}

func (c *Count) String() string { return textOr(Auto, int64(*c)) }
func (c *Count) plain() any     { return numberOrNil(int64(*c)) }

// Limit is a number of frames to stop at; 0, written "all", is no limit.
type Limit int64

const unlimited = "all"

func (l *Limit) set(raw []string) error {
	n, err := wholeOr(unlimited, raw)
	*l = Limit(n)
	return err
}

func (l *Limit) String() string { return textOr(unlimited, int64(*l)) }
func (l *Limit) plain() any     { return numberOrNil(int64(*l)) }

// wholeOr parses a positive whole number, or the word that stands for 0. A written 0 is refused:
// it reads as "none", which is never meant.
func wholeOr(word string, raw []string) (int64, error) {
	s, err := one(raw)
	if err != nil || s == word {
		return 0, err
	}
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, errors.New("is out of range")
	case err != nil:
		return 0, errNotWhole
	case n <= 0:
		return 0, errors.New("is not positive")
	}
	return n, nil
}

func textOr(word string, n int64) string {
	if n == 0 {
		return word
	}
	return strconv.FormatInt(n, 10)
}

func numberOrNil(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}
