// Package gputest is the conformance suite of gpu.Device: a device is what passes [Run]. Every
// implementation, and every adaptor over one, runs it from its own tests with the kernels of
// package testmodule. Expected results are computed here in plain Go.
package gputest
