package encode

import (
	"fmt"
	"math"
	"strings"

	"github.com/pinring/pinring/frame"
)

// addHDR tells encoders about the mastering display and the content's light, each in its own
// spelling: they do not read it from the pictures. What the user says himself wins.
func addHDR(opts map[string]string, codec string, h *frame.HDR) {
	if h == nil {
		return
	}
	var key string
	var parts []string
	switch codec {
	case "libx265":
		key = "x265-params"
		parts = hdrParams(h, "master-display", "max-cll", inUnits)
	case "libx264":
		key = "x264-params"
		parts = hdrParams(h, "mastering-display", "cll", inUnits)
	case "libsvtav1":
		key = "svtav1-params"
		parts = hdrParams(h, "mastering-display", "content-light", inDecimals)
	}
	for _, p := range parts {
		name, _, _ := strings.Cut(p, "=")
		if !strings.Contains(opts[key], name+"=") {
			opts[key] = join(opts[key], p)
		}
	}
}

// hdrParams spells the metadata; unit writes a coordinate or a luminance.
func hdrParams(h *frame.HDR, display, light string, unit func(frame.Rational, float64) string) (out []string) {
	if h.HasPrimaries() && h.HasLuminance() {
		xy := func(p [2]frame.Rational) string { return unit(p[0], 50_000) + "," + unit(p[1], 50_000) }
		out = append(out, fmt.Sprintf("%s=G(%s)B(%s)R(%s)WP(%s)L(%s,%s)", display, xy(h.Primaries[1]), xy(h.Primaries[2]), xy(h.Primaries[0]),
			xy(h.White), unit(h.MaxLuminance, 10_000), unit(h.MinLuminance, 10_000)))
	}
	if h.HasLight() {
		out = append(out, fmt.Sprintf("%s=%d,%d", light, h.MaxCLL, h.MaxFALL))
	}
	return out
}

// inUnits counts steps of one part in steps, as the bitstreams of H.264 and HEVC do.
func inUnits(r frame.Rational, steps float64) string {
	return fmt.Sprint(int64(math.Round(r.Float() * steps)))
}

func inDecimals(r frame.Rational, _ float64) string { return fmt.Sprintf("%.5f", r.Float()) }
