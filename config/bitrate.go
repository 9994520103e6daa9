package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// BitRate is bits per second; 0, written "auto", leaves it to the encoder. k, M and G are thousands,
// as in FFmpeg's options.
type BitRate int64

func (b *BitRate) set(raw []string) error {
	s, err := one(raw)
	if err != nil {
		return err
	}
	if s == Auto {
		*b = 0
		return nil
	}
	unit := 1.0
	for i, u := range []string{"k", "m", "g"} {
		if t, ok := strings.CutSuffix(strings.ToLower(s), u); ok {
			s, unit = t, math.Pow(1000, float64(i+1))
			break
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	switch v *= unit; {
	case err != nil || math.IsNaN(v):
		return errors.New("is not a bit rate such as 4M or 800k")
	case v < 1:
		return errors.New("is not positive")
	case v > math.MaxInt32: // what most encoders hold it in
		return errors.New("is out of range")
	}
	*b = BitRate(v)
	return nil
}

// String writes b exactly.
func (b *BitRate) String() string {
	switch n := int64(*b); {
	case n == 0:
		return Auto
	case n%1_000_000 == 0:
		return fmt.Sprintf("%dM", n/1_000_000)
	case n%1000 == 0:
		return fmt.Sprintf("%dk", n/1000)
	default:
		return strconv.FormatInt(n, 10)
	}
}

func (b *BitRate) plain() any { return numberOrNil(int64(*b)) }
