package config

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// The checks complete a sentence that begins with the value; what is allowed is said after it.
var errUnknown = errors.New("is not known")

var (
	deviceNames = regexp.MustCompile(`^(auto|cpu|cuda(:[0-9]{1,3})?)$`)
	streamNames = regexp.MustCompile(`^(auto|(v:)?[0-9]{1,5})$`)
	words       = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]*$`)
	optionPairs = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.:-]*=`)
)

func matches(t Text, re *regexp.Regexp) error {
	if !re.MatchString(string(t)) {
		return errUnknown
	}
	return nil
}

// oneOf accepts the words of a list.
func oneOf(t Text, words string) error {
	for w := range strings.FieldsSeq(words) {
		if string(t) == w {
			return nil
		}
	}
	return errUnknown
}

func atMost(n, most int64) error {
	if n > most {
		return fmt.Errorf("is more than %d", most)
	}
	return nil
}

func checkDevice(c *Config) error { return matches(c.Device.Want, deviceNames) }

func checkSource(c *Config) error  { return oneOf(c.Input.Source, "file memory") }
func checkStream(c *Config) error  { return matches(c.Input.Stream, streamNames) }
func checkThreads(c *Config) error { return atMost(int64(c.Input.Threads), 128) }
func checkOnError(c *Config) error { return oneOf(c.Input.OnError, "conceal skip repeat abort") }
func checkStreams(c *Config) error { return atMost(int64(c.Input.Limits.Streams), 1_000_000) }
func checkProbeSize(c *Config) error {
	if n := c.Input.Limits.ProbeSize; n != 0 && n < 32 {
		return errors.New("is less than 32 bytes")
	}
	return nil
}

func checkJobs(c *Config) error {
	if c.Batch.Jobs == 0 {
		return errNotWhole // "auto", which this setting does not know
	}
	return atMost(int64(c.Batch.Jobs), 64)
}

func checkMode(c *Config) error {
	return oneOf(c.Staging.Mode, "reuse registered mapped managed pageable churn")
}
func checkDirection(c *Config) error     { return oneOf(c.Staging.Direction, "upload download both") }
func checkStagingFormat(c *Config) error { return oneOf(c.Staging.Format, "native rgb24") }
func checkGuard(c *Config) error         { return oneOf(c.Budget.Guard, "on observe off") }
func checkPolicy(c *Config) error        { return oneOf(c.Budget.Policy, "wait degrade fail") }
func checkSlots(c *Config) error         { return atMost(int64(c.Staging.Slots), 1024) }
func checkInFlight(c *Config) error      { return atMost(int64(c.Staging.InFlight), 64) }
func checkMaxPinned(c *Config) error {
	if n := c.Staging.MaxPinned; n != 0 && n < 1<<20 {
		return errors.New("is less than 1MiB")
	}
	return nil
}

func checkCodec(c *Config) error  { return matches(c.Output.Codec, words) }
func checkAudio(c *Config) error  { return matches(c.Output.Audio, words) }
func checkPreset(c *Config) error { return matches(c.Output.Preset, words) }
func checkCRF(c *Config) error {
	if v := c.Output.CRF.Value; v < 0 || v > 63 {
		return errors.New("is not between 0 and 63")
	}
	return nil
}

func checkOptions(c *Config) error {
	for _, o := range c.Output.Options {
		if !optionPairs.MatchString(o) {
			return fmt.Errorf("has %q, which is not name=value", o)
		}
	}
	return nil
}
