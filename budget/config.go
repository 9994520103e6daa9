package budget

import (
	"fmt"
	"strings"
	"time"
)

// Mode says what the guard does with its verdict.
type Mode uint8

// The modes.
const (
	On      Mode = iota // slow down and hold
	Observe             // decide and record, never slow down
	Off                 // neither read nor decide
)

// Policy says what happens when there is no headroom.
type Policy uint8

// The policies.
const (
	Wait    Policy = iota // hold until there is
	Degrade               // shrink the ring, then stage in pageable memory
	Fail                  // end with an error
)

var (
	modeNames   = [...]string{"on", "observe", "off"}
	policyNames = [...]string{"wait", "degrade", "fail"}
)

func (m Mode) String() string   { return nameOf(modeNames[:], int(m)) }
func (p Policy) String() string { return nameOf(policyNames[:], int(p)) }

func nameOf(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return "unknown"
}

// ParseMode reads on, observe or off.
func ParseMode(s string) (Mode, error) {
	i, err := indexOf("guard mode", modeNames[:], s)
	return Mode(i), err
}

// ParsePolicy reads wait, degrade or fail.
func ParsePolicy(s string) (Policy, error) {
	i, err := indexOf("guard policy", policyNames[:], s)
	return Policy(i), err
}

func indexOf(what string, names []string, s string) (int, error) {
	for i, n := range names {
		if n == s {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%s %q is none of %s", what, s, strings.Join(names, ", "))
}

// Marks are the headroom at which a domain's guard slows down and stops.
type Marks struct {
	Soft Mark // throttle below it
	Hard Mark // never admit below it
}

// Config sets a guard. Start from [DefaultConfig].
type Config struct {
	Mode   Mode
	Policy Policy
	// Marks of each domain.
	Marks [NumDomains]Marks
	// MaxInFlight is the most frames between Admit and Done, 1 or more.
	MaxInFlight int
	// Horizon: throttle when at the present growth the hard mark is nearer than this.
	Horizon time.Duration
	// Recovery is the time within which the guard is clear again once the headroom is back. A
	// phase is kept for a quarter of it before a milder one may follow, which is the hysteresis
	// in time, and growth is measured over such quarters.
	Recovery time.Duration
	// Hysteresis is the share of the soft mark, in percent, that must be there on top of it
	// before throttling ends.
	Hysteresis float64
	// Smooth is the time constant with which throttled frames approach the hard mark: each
	// waits Smooth × its bytes ÷ the bytes left above the mark.
	Smooth time.Duration
	// Patience is how long a hold may last before it counts as exhausted: Fail then fails,
	// Degrade degrades, Wait goes on waiting. 0 is the policy's own: 10 s for Wait, 1 s for the
	// others.
	Patience time.Duration
	// Overhead is what the charge for pinned memory may exceed its size by, in percent. The
	// largest that has been reported is 5.
	Overhead float64
}

// DefaultConfig returns the settings that the command line starts from.
func DefaultConfig() Config {
	device := Marks{Soft: Mark{Bytes: 256 * MiB, Percent: 5}, Hard: Mark{Bytes: 32 * MiB, Percent: 1}}
	host := Marks{Soft: Mark{Bytes: GiB, Percent: 10}, Hard: Mark{Bytes: 256 * MiB, Percent: 3}}
	return Config{
		Marks:       [NumDomains]Marks{DeviceLocal: device, DeviceShared: device, HostRAM: host},
		MaxInFlight: 4,
		Horizon:     2 * time.Second,
		Recovery:    time.Second,
		Hysteresis:  10,
		Smooth:      125 * time.Millisecond,
		Overhead:    6,
	}
}

// Validate says what is wrong with the settings, nil when nothing is.
func (c *Config) Validate() error {
	switch {
	case int(c.Mode) >= len(modeNames):
		return fmt.Errorf("guard mode %d does not exist", c.Mode)
	case int(c.Policy) >= len(policyNames):
		return fmt.Errorf("guard policy %d does not exist", c.Policy)
	case c.MaxInFlight < 1:
		return fmt.Errorf("guard: %d frames in flight; at least 1 is needed", c.MaxInFlight)
	case c.Recovery < 4*time.Millisecond:
		return fmt.Errorf("guard: a recovery time of %v is shorter than 4ms", c.Recovery)
	case c.Horizon < 0 || c.Smooth < 0 || c.Patience < 0 || c.Hysteresis < 0 || c.Overhead < 0:
		return fmt.Errorf("guard: a negative time or share")
	}
	for d, m := range c.Marks {
		if m.Hard.Bytes < 0 || m.Soft.Bytes < 0 || m.Hard.Percent < 0 || m.Soft.Percent < 0 {
			return fmt.Errorf("guard: a mark of %s is negative", Domain(d).Title())
		}
	}
	return nil
}

// dwell is how long a phase is kept before a milder one.
func (c *Config) dwell() time.Duration { return c.Recovery / 4 }

func (c *Config) patience() time.Duration {
	switch {
	case c.Patience > 0:
		return c.Patience
	case c.Policy == Wait:
		return 10 * time.Second
	}
	return time.Second
}
