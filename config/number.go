package config

import "strconv"

// Number is a whole number from 0 on.
type Number int

func (n *Number) set(raw []string) error {
	s, err := one(raw)
	if err != nil {
		return err
	}
	v, err := strconv.ParseInt(s, 10, 31)
	if err != nil || v < 0 {
		return errNotWhole
	}
	*n = Number(v)
	return nil
}

func (n *Number) String() string { return strconv.Itoa(int(*n)) }
func (n *Number) plain() any     { return int(*n) }
