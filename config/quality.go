package config

import (
	"errors"
	"math"
	"strconv"
)

// Quality is an encoder's constant rate factor: the smaller, the better and larger. The zero value,
// written "auto", leaves it to the encoder (0 itself is a real choice, often "lossless").
type Quality struct {
	Chosen bool
	Value  float64
}

func (q *Quality) set(raw []string) error {
	s, err := one(raw)
	if err != nil {
		return err
	}
	if s == Auto {
		*q = Quality{}
		return nil
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return errors.New("is not a number")
	}
	*q = Quality{Chosen: true, Value: v}
	return nil
}

func (q *Quality) String() string {
	if !q.Chosen {
		return Auto
	}
	return strconv.FormatFloat(q.Value, 'f', -1, 64)
}

func (q *Quality) plain() any {
	if !q.Chosen {
		return nil
	}
	return q.Value
}
