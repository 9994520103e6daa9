package report

import (
	"html"
	"html/template"
	"strconv"
	"strings"
)

// svg writes one drawing. Coordinates are CSS pixels at the drawing's own width. Colours and type
// come from the page's style sheet, by class. All text is escaped.
type svg struct{ b strings.Builder }

// attr is an attribute beyond the usual ones.
type attr struct{ name, value string }

// newSVG opens a drawing. label is what a screen reader says in its place.
func newSVG(width, height float64, class, label string, more ...attr) *svg {
	s := &svg{}
	s.open("svg", append([]attr{
		{"class", class}, {"viewBox", "0 0 " + px(width) + " " + px(height)}, {"width", px(width)}, {"height", px(height)},
		{"role", "img"}, {"aria-label", label},
	}, more...))
	s.b.WriteString(">")
	return s
}

// px writes a coordinate with a tenth of a pixel.
func px(f float64) string {
	if !finite(f) {
		f = 0
	}
	t := strconv.FormatFloat(f, 'f', 1, 64)
	t = strings.TrimSuffix(t, ".0")
	if t == "-0" {
		return "0"
	}
	return t
}

func (s *svg) open(name string, attrs []attr) {
	s.b.WriteString("<" + name)
	for _, a := range attrs {
		s.b.WriteString(" " + a.name + `="` + html.EscapeString(printable(a.value)) + `"`)
	}
}

func (s *svg) element(name string, attrs []attr) {
	s.open(name, attrs)
	s.b.WriteString("/>")
}

func (s *svg) line(class string, x1, y1, x2, y2 float64) {
	s.element("line", []attr{{"class", class}, {"x1", px(x1)}, {"y1", px(y1)}, {"x2", px(x2)}, {"y2", px(y2)}})
}

func (s *svg) rect(class string, x, y, width, height float64) {
	s.element("rect", []attr{{"class", class}, {"x", px(x)}, {"y", px(y)}, {"width", px(width)}, {"height", px(height)}})
}

func (s *svg) circle(class string, x, y, r float64) {
	s.element("circle", []attr{{"class", class}, {"cx", px(x)}, {"cy", px(y)}, {"r", px(r)}})
}

// path draws connected points.
func (s *svg) path(class string, points []point, more ...attr) {
	var d strings.Builder
	for i, p := range points {
		if i == 0 {
			d.WriteByte('M')
		} else {
			d.WriteByte('L')
		}
		d.WriteString(px(p.x) + "," + px(p.y))
	}
	s.element("path", append([]attr{{"class", class}, {"d", d.String()}}, more...))
}

// text writes at a base line; anchor is start, middle or end.
func (s *svg) text(class, anchor string, x, y float64, text string) {
	s.open("text", []attr{{"class", class}, {"text-anchor", anchor}, {"x", px(x)}, {"y", px(y)}})
	s.b.WriteString(">" + html.EscapeString(printable(text)) + "</text>")
}

// close ends the drawing.
func (s *svg) close() template.HTML {
	s.b.WriteString("</svg>")
	return template.HTML(s.b.String()) // every piece of it was escaped above
}

// point is a place in a drawing.
type point struct{ x, y float64 }

// simplify leaves out points that lie, to a tenth of a pixel, on the straight line between the points
// that are kept.
func simplify(points []point) []point {
	if len(points) < 3 {
		return points
	}
	out := []point{points[0]}
	kept := 0
	for i := 1; i < len(points)-1; i++ {
		if !straight(points[kept : i+2]) {
			out = append(out, points[i])
			kept = i
		}
	}
	return append(out, points[len(points)-1])
}

// straight reports whether all points lie on the line from the first to the last. A line that goes
// back or straight up is none.
func straight(p []point) bool {
	a, b := p[0], p[len(p)-1]
	if b.x <= a.x {
		return false
	}
	for _, q := range p[1 : len(p)-1] {
		off := a.y + (b.y-a.y)*(q.x-a.x)/(b.x-a.x) - q.y
		if off > 0.05 || off < -0.05 {
			return false
		}
	}
	return true
}

// clip shortens a text that would need more than width pixels at a size of 12.
func clip(s string, width float64) string {
	r := []rune(printable(s))
	most := max(int(width/charWidth), 2)
	if len(r) <= most {
		return string(r)
	}
	return string(r[:most-1]) + "…"
}

// charWidth is a generous guess at the mean width of a character at a size of 12 pixels.
const charWidth = 6.9

func textWide(s string) float64 { return float64(len([]rune(s))) * charWidth }
