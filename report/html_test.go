package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pinring/pinring/report"
)

func page(t testing.TB, c *report.Compare) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := (report.HTML{}).PrintCompare(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// With PINRING_REPORT_DIR the pages are kept there, to be looked at.
func TestPagesToLookAt(t *testing.T) {
	dir := os.Getenv("PINRING_REPORT_DIR")
	if dir == "" {
		t.Skip("PINRING_REPORT_DIR is not set: no pages are kept")
	}
	for name, c := range samples() {
		if err := os.WriteFile(filepath.Join(dir, name+".html"), page(t, c), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// elements reads a page as strict XML, which is stricter than HTML, and returns its elements and text.
func elements(t *testing.T, data []byte) (all []xml.StartElement, text string) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = true
	var s strings.Builder
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all, s.String()
		}
		if err != nil {
			t.Fatalf("line %d: %v", 1+bytes.Count(data[:d.InputOffset()], []byte("\n")), err)
		}
		switch x := tok.(type) {
		case xml.StartElement:
			all = append(all, x.Copy())
		case xml.CharData:
			s.Write(x)
		}
	}
}

// The elements and attributes that a page is made of. What is not listed has no business there: what
// loads something, runs something, or leads away.
const (
	allowedElements = ` html head meta title style body main header p strong span h1 h2 h3 section div figure figcaption ul li i small
		table thead tbody tr th td dl dt dd pre code footer script svg line rect circle path text `
	allowedAttributes = ` lang charset http-equiv content name class aria-label tabindex role scope viewBox width height
		x y x1 y1 x2 y2 cx cy r d text-anchor data-x data-y data-name data-unit `
)

func TestPagesAreWellFormedAndSelfContained(t *testing.T) {
	listed := func(list, name string) bool {
		return strings.Contains(" "+strings.Join(strings.Fields(list), " ")+" ", " "+name+" ")
	}
	for name, c := range samples() {
		t.Run(name, func(t *testing.T) {
			data := page(t, c)
			all, _ := elements(t, data)
			scripts := 0
			for _, e := range all {
				if !listed(allowedElements, e.Name.Local) {
					t.Errorf("element %s", e.Name.Local)
				}
				if e.Name.Local == "script" {
					scripts++
				}
				for _, a := range e.Attr {
					if !listed(allowedAttributes, a.Name.Local) {
						t.Errorf("attribute %s of %s", a.Name.Local, e.Name.Local)
					}
				}
			}
			if scripts != 1 {
				t.Errorf("%d scripts", scripts)
			}
			if m := regexp.MustCompile(`https?:|//[a-z]|@import|url\(`).Find(data); m != nil && name != "hostile" {
				t.Errorf("the page refers to %q", m)
			}
			if len(data) > 400_000 {
				t.Errorf("%d bytes", len(data))
			}
		})
	}
}

// The page is of full use without its script, so what it says must be in its text.
func TestPageSaysWhatTheComparisonSays(t *testing.T) {
	for name, c := range samples() {
		if name == "hostile" {
			continue // its names are shown with replacement characters
		}
		_, text := elements(t, page(t, c))
		text = strings.ReplaceAll(text, "\u00a0", " ") // between a number and its unit
		for _, f := range c.Findings {
			if !strings.Contains(text, f.Text) {
				t.Errorf("%s: the finding is missing: %s", name, f.Text)
			}
		}
		for _, s := range append(append(append([]string{}, c.Emulates...), c.NotModelled...), c.Notes...) {
			if !strings.Contains(text, s) {
				t.Errorf("%s: %q is missing", name, s)
			}
		}
		for _, f := range c.Environment {
			if !strings.Contains(text, f.Value) {
				t.Errorf("%s: %q is missing", name, f.Value)
			}
		}
	}
}

// Curves of the greatest length: the page stays small enough to mail, and the peak is drawn.
func TestLongCurves(t *testing.T) {
	runs := make([]report.Run, 8)
	for i := range runs {
		runs[i] = bare("churn", report.OK, flatSeries(inUse, inUse+room, 50_000))
		for j := range runs[i].Series {
			runs[i].Series[j].Usage += int64(j*7919%1000) * 100_000
		}
	}
	data := page(t, report.NewCompare("v", runs))
	elements(t, data)
	if len(data) > 1_000_000 {
		t.Errorf("%d bytes", len(data))
	}
}

// The page of one run is that of a comparison with nothing to compare.
func TestPageOfARun(t *testing.T) {
	var b bytes.Buffer
	if err := (report.HTML{}).PrintRun(&b, outOfMemory()); err != nil {
		t.Fatal(err)
	}
	if _, text := elements(t, b.Bytes()); !strings.Contains(text, "churn ran out of memory at frame 156") {
		t.Error("the page does not say how the run ended")
	}
}
