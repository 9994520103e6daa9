package avtest_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/internal/av/avtest"
)

// TestMain is also a program of its own, for tests that need a process: it converts a file.
func TestMain(m *testing.M) {
	if in := os.Getenv("AVTEST_CONVERT"); in != "" {
		_, _, err := avtest.Convert(context.Background(), decode.Params{Path: in, Stream: "v:0"},
			encode.Params{Output: os.Getenv("AVTEST_OUTPUT")})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}
