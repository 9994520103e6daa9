package kernels

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pinring/pinring/frame"
)

// The filter format converts the pixel format, as FFmpeg's. Its kernels are those of convert.cu and
// planes.cu.
var formatSpec = Spec{
	Name:    "format",
	Summary: "Convert the picture to one of the given pixel formats.",
	Options: []OptionSpec{{
		Name: "pix_fmts", Type: "format list",
		Help: "formats separated by |; a picture that is in one of them stays as it is, others become the first",
	}},
	build: buildFormat,
}

type formatFilter struct{ formats []frame.PixelFormat }

func buildFormat(v values) (impl, error) {
	if v.get("pix_fmts") == "" {
		return nil, errors.New("a pixel format is missing: format=yuv420p, say")
	}
	var f formatFilter
	offset := 0
	for _, name := range strings.Split(v.get("pix_fmts"), "|") {
		p, err := formatByName(name)
		if err != nil {
			return nil, &valueError{"pix_fmts", offset, err}
		}
		f.formats = append(f.formats, p)
		offset += len(name) + 1
	}
	return f, nil
}

// formatByName accepts FFmpeg's names, also without the byte order ("yuv420p10").
func formatByName(name string) (frame.PixelFormat, error) {
	var names []string
	for _, f := range formats {
		if name == string(f) || name+"le" == string(f) {
			return f, nil
		}
		names = append(names, string(f))
	}
	if _, known := frame.Describe(frame.PixelFormat(name)); known {
		return "", fmt.Errorf("no kernel writes pixel format %q; those that work: %s", name, formatNames())
	}
	return "", errors.New(unknown("pixel format", name, names))
}

func (f formatFilter) apply(b *planner) error {
	for _, p := range f.formats {
		if p == b.cur.Format {
			return nil
		}
	}
	return b.toFormat(f.formats[0])
}
