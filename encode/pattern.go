package encode

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// imageCodecs are the encoders for single images, by the name's ending.
var imageCodecs = map[string]string{".png": "png", ".jpg": "mjpeg", ".jpeg": "mjpeg", ".bmp": "bmp", ".tif": "tiff", ".tiff": "tiff",
	".webp": "libwebp", ".ppm": "ppm", ".pgm": "pgm", ".tga": "targa", ".jp2": "jpeg2000"}

// IsImage reports whether an output of that name is one image or a sequence of images.
func IsImage(name string) bool { return imageCodecs[strings.ToLower(filepath.Ext(name))] != "" }

// pattern is the name of a sequence of images: %d or %05d stands for the number, %% for a percent
// sign. Without a number it is the name of one image.
type pattern struct {
	dir, before, after string
	width              int
	numbered           bool
}

var verb = regexp.MustCompile(`%%|%0?([0-9]*)d`)

// parsePattern looks at the last part of the name only: folders are taken as they are.
func parsePattern(name string) (pattern, error) {
	dir, base := filepath.Split(name)
	p := pattern{dir: dir}
	rest := base
	for {
		at := verb.FindStringSubmatchIndex(rest)
		if at == nil {
			break
		}
		text := rest[:at[0]]
		switch {
		case rest[at[0]:at[1]] == "%%":
			text += "%"
		case p.numbered:
			return p, fmt.Errorf("it has two numbers")
		}
		if p.numbered {
			p.after += text
		} else {
			p.before += text
		}
		if at[2] >= 0 {
			p.numbered = true
			p.width, _ = strconv.Atoi(rest[at[2]:at[3]]) // empty is 0
			if p.width > 20 {
				return p, fmt.Errorf("a number of %d digits is too long", p.width)
			}
		}
		rest = rest[at[1]:]
	}
	if p.numbered {
		p.after += rest
	} else {
		p.before += rest
	}
	return p, nil
}

// name is that of the n-th image.
func (p pattern) name(n int64) string {
	if !p.numbered {
		return p.dir + p.before
	}
	return p.dir + p.before + fmt.Sprintf("%0*d", p.width, n) + p.after
}

// number is the inverse of name, for the last part of a name; false for names of others.
func (p pattern) number(base string) (int64, bool) {
	if !p.numbered {
		return 0, base == p.before
	}
	digits, ok := strings.CutPrefix(base, p.before)
	if !ok {
		return 0, false
	}
	if digits, ok = strings.CutSuffix(digits, p.after); !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || fmt.Sprintf("%0*d", p.width, n) != digits {
		return 0, false
	}
	return n, true
}
