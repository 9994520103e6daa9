package encode

import (
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

// TestPatternNames: every number comes back from its name, and only from its own.
func TestPatternNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"", "a", "7", "frame-", "%%", "x.y"})
		verb := rapid.SampledFrom([]string{"%d", "%05d", "%3d", "%01d"}).Draw(t, "verb")
		name := text.Draw(t, "before") + verb + text.Draw(t, "after") + ".png"
		p, err := parsePattern("dir/" + name)
		if err != nil || !p.numbered || p.dir != "dir/" {
			t.Fatalf("%q: %+v, %v", name, p, err)
		}
		n := rapid.Int64Range(0, 1<<40).Draw(t, "n")
		got, ok := p.number(filepath.Base(p.name(n)))
		if !ok || got != n {
			t.Fatalf("%q: number %d is in %q, which is read as %d, %v", name, n, p.name(n), got, ok)
		}
	})
}

func TestPatternTexts(t *testing.T) {
	for in, want := range map[string]string{
		"%05d.png": "00042.png", "a%d.jpg": "a42.jpg", "100%%-%d.png": "100%-42.png", "one.png": "one.png", "d%d/x%03d.png": "d%d/x042.png",
	} {
		p, err := parsePattern(in)
		if err != nil || p.name(42) != want {
			t.Errorf("%q: %q, %v, want %q", in, p.name(42), err, want)
		}
	}
	for _, bad := range []string{"%d-%d.png", "%099d.png"} {
		if p, err := parsePattern(bad); err == nil {
			t.Errorf("%q is taken: %+v", bad, p)
		}
	}
	p, _ := parsePattern("f%05d.png")
	for _, other := range []string{"f1.png", "f00001.jpg", "g00001.png", "f-0001.png", "f00001.png~"} {
		if n, ok := p.number(other); ok {
			t.Errorf("%q is taken for number %d", other, n)
		}
	}
}

func FuzzPattern(f *testing.F) {
	for _, s := range []string{"%05d.png", "%%", "a/%d%%.jpg", "%d%d", "%"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := parsePattern(s)
		if err != nil || !p.numbered {
			return
		}
		if n, ok := p.number(p.name(12)[len(p.dir):]); !ok || n != 12 {
			t.Errorf("%q: 12 is read as %d, %v", s, n, ok)
		}
	})
}
