package encode

import (
	"errors"
	"strings"
	"testing"

	"github.com/pinring/pinring/internal/av"
)

// TestNVENCCauses translates what FFmpeg 5.1's nvenc.c logs.
func TestNVENCCauses(t *testing.T) {
	for said, want := range map[string]string{
		"Cannot load libcuda.so.1":                                                          "no NVIDIA driver",
		"OpenEncodeSessionEx failed: out of memory (10): (no details)":                      "as many encoding sessions",
		"OpenEncodeSessionEx failed: unsupported device (2): no detail":                     "no NVENC",
		"Driver does not support the required nvenc API version. Required: 11.1 Found: 9.0": "driver is older",
		"No capable devices found":                                                          "no card here",
	} {
		err := nvencError("out.mp4", "h264_nvenc", &av.Error{Op: "open encoder h264_nvenc", Code: -12, Detail: said})
		var e *Error
		if !errors.As(err, &e) || !errors.Is(err, ErrNVENC) || !strings.Contains(err.Error(), want) || e.Hint == "" || e.Settings {
			t.Errorf("%q became %v", said, err)
		}
	}
	if err := nvencError("out.mp4", "libx264", &av.Error{Detail: "No capable devices found"}); err != nil {
		t.Errorf("libx264: %v", err)
	}
	if err := nvencError("out.mp4", "h264_nvenc", &av.Error{Detail: "Invalid Level."}); err != nil {
		t.Errorf("an option's fault became %v", err)
	}
}
