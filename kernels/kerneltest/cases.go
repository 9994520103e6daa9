package kerneltest

import (
	"crypto/md5"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/kernels"
)

// Case is a chain with a picture to run it on.
type Case struct {
	Name    string
	Chain   string
	In      frame.Info
	Want    frame.PixelFormat
	Pattern Pattern
}

// Pattern says what a test picture is filled with.
type Pattern string

// The patterns.
const (
	Noise    Pattern = "noise"    // independent random codes
	Extremes Pattern = "extremes" // smallest and largest codes at random
	Ramp     Pattern = "ramp"     // smooth in both directions, different in each component
)

// chains of every kind, applied to every format.
var chains = []string{
	"negate",
	"scale=50:30", "scale=iw*2:ih*2", "scale=iw/2:ih/2", "scale=iw:ih*3/2", "scale=iw/3:ih",
	"scale=50:30:flags=bilinear", "scale=iw*2:ih*2:flags=bilinear", "scale=out_range=pc", "scale=17:9:out_range=pc,negate",
	"scale=99:71,negate,format=rgb24",
	"format=rgb24,scale=iw/2:ih*2,format=yuv420p",
	"negate,scale=128:ih+9,scale=iw/5:ih/5:flags=bilinear",
}

// turns are the seven ways to turn and mirror, and one that ends up where it began.
var turns = []string{
	"transpose", "transpose=clock", "transpose=cclock", "transpose=clock_flip", "hflip", "vflip", "hflip,vflip",
	"transpose=clock,scale=iw:ih*2,transpose=cclock",
}

// sizes: odd, one pixel, thin, and wider than the chunks that host code works in.
var sizes = [][2]int{{61, 37}, {1, 1}, {2, 3}, {1, 40}, {1037, 5}, {513, 2}}

// common are the formats that are met most: each is converted to each.
var common = []frame.PixelFormat{
	frame.YUV420P, frame.YUVJ420P, frame.NV12, frame.YUV422P, frame.YUV444P,
	frame.YUV420P10, frame.YUV422P10, frame.YUV444P10, frame.Gray, frame.RGB24,
}

// Common lists the formats that are met most.
func Common() []frame.PixelFormat { return slices.Clone(common) }

// hubs stand for the kinds of formats: every format is converted to each of them and back.
var hubs = []frame.PixelFormat{"yuva420p", "p010le", "bgra", "gbrp12le", "rgba64le", "yuv444p16le"}

// Targets lists what a format is converted to by tables of tests: all pairs of common formats, and
// every format with the hubs, so that each way of reading meets each way of writing.
func Targets(f frame.PixelFormat) []frame.PixelFormat {
	switch {
	case slices.Contains(hubs, f):
		return kernels.Formats()
	case slices.Contains(common, f):
		return append(slices.Clone(common), hubs...)
	}
	return hubs
}

// Cases lists the table: every chain, every turn and the conversions, on every format and size, and a
// few pictures of extreme shape. Formats that are not common take one of the
// sizes each.
func Cases() []Case {
	var out []Case
	patterns := []Pattern{Noise, Extremes, Ramp}
	add := func(chain string, f frame.PixelFormat, w, h int) {
		c := Case{Chain: chain, Pattern: patterns[len(out)%len(patterns)],
			In: frame.Info{Format: f, Width: w, Height: h, SAR: frame.Rational{Num: 1, Den: 1}}}
		c.Name = fmt.Sprintf("%s %dx%d %s %s", f, w, h, chain, c.Pattern)
		out = append(out, c)
	}
	for n, f := range kernels.Formats() {
		for i, s := range sizes {
			if !slices.Contains(common, f) && (n+i)%6 != 0 {
				continue
			}
			for _, chain := range slices.Concat(chains, turns, negations(f), yuvOnly(f)) {
				add(chain, f, s[0], s[1])
			}
			for _, to := range Targets(f) {
				add("format="+string(to), f, s[0], s[1])
				add("scale=37:41,format="+string(to), f, s[0], s[1])
			}
		}
		add("transpose=clock", f, 150, 333) // several tiles of a device
	}
	for _, f := range append(slices.Clone(common), "yuva444p16le", "rgba64le") {
		add("scale=40:400", f, 16, 16384)
		add("scale=400:40,negate", f, 16384, 16)
		add("transpose", f, 16, 16384)
		for _, chain := range yuvOnly(f)[:min(2, len(yuvOnly(f)))] {
			add(chain, f, 16, 16384)
			add(chain, f, 16384, 16)
		}
	}
	for n, f := range kernels.Formats() {
		if !slices.Contains(common, f) && n%6 != 0 {
			continue
		}
		// Filters about as long as they can be: the most rows and columns of the source to keep.
		add("scale=8:8", f, 570, 32)
		for _, to := range Targets(f) {
			add("scale=8:8,format="+string(to), f, 570, 32)
		}
	}
	for _, f := range []frame.PixelFormat{"rgba", "gbrap", "rgb24"} {
		add("scale=8:8", f, 2040, 60)
		add("scale=8:8,format=yuva420p", f, 1020, 60)
	}
	return out
}

// negations are partial ones, which name components that the format has.
func negations(f frame.PixelFormat) []string {
	d, _ := frame.Describe(f)
	switch {
	case d.RGB:
		return []string{"negate=r+b", "scale=iw*2:ih,negate=components=g"}
	case len(d.Components) == 1:
		return nil
	case len(d.Components) == 2:
		return []string{"negate=y", "negate=a"}
	}
	out := []string{"negate=y", "negate=u", "scale=iw*2:ih,negate=components=v+y"}
	if d.Alpha {
		out = append(out, "negate=a")
	}
	return out
}

// yuvOnly are chains of filters that refuse RGB.
func yuvOnly(f frame.PixelFormat) []string {
	if d, _ := frame.Describe(f); d.RGB {
		return nil
	}
	return []string{
		"unsharp=5:5:1.5:3:3:-1", "eq=contrast=1.2:saturation=1.3,negate", "unsharp", "unsharp=13:11:2:3:21:0.7",
		"eq=gamma=1.7:gamma_b=0.8", "scale=iw*2:ih/2,eq=gamma_r=1.5:brightness=0.1",
		"scale=40:24,unsharp,eq=contrast=1.1:brightness=-0.05,negate", "negate,eq=contrast=-1.5,unsharp=7:3",
	}
}

// Trial is a case that is ready to run, on as many devices as are to be compared.
type Trial struct {
	name string
	plan *kernels.Plan
	src  []byte
}

// Prepare plans the chain and makes the picture.
func (c Case) Prepare() (*Trial, error) {
	src, err := Picture(c.In.Format, c.In.Width, c.In.Height, c.Pattern, uint64(len(c.Name)))
	if err != nil {
		return nil, err
	}
	p, err := plan(c.Chain, c.In, c.Want)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	return &Trial{c.Name, p, src}, nil
}

// Run returns the digest of the output's pixels.
func (t *Trial) Run(dev gpu.Device, prog gpu.Program) ([16]byte, error) {
	out, err := runPlan(dev, prog, t.plan, t.src)
	if err != nil {
		return [16]byte{}, fmt.Errorf("%s: %w", t.name, err)
	}
	return md5.Sum(out), nil
}

// Picture makes a test picture, its planes packed tightly one after another (FFmpeg's rawvideo).
func Picture(f frame.PixelFormat, w, h int, p Pattern, seed uint64) ([]byte, error) {
	l, err := frame.NewLayout(f, w, h, 1)
	if err != nil {
		return nil, err
	}
	d, _ := frame.Describe(f)
	rnd := rand.New(rand.NewPCG(seed, 1))
	out := make([]byte, l.Size)
	for plane := range l.NumPlanes {
		for y := range l.Rows[plane] {
			fillRow(out[l.Offset[plane]+y*l.Stride[plane]:][:l.RowBytes[plane]], d, p, rnd, plane, y)
		}
	}
	return out, nil
}

func fillRow(row []byte, d *frame.Desc, p Pattern, rnd *rand.Rand, plane, y int) {
	depth := d.Depth()
	size := (depth + 7) / 8
	top := uint32(1)<<depth - 1
	for i := range len(row) / size {
		var v uint32
		switch p {
		case Noise:
			v = rnd.Uint32() & top
		case Extremes:
			v = (rnd.Uint32() & 1) * top
		default:
			v = uint32((i*(3+plane)+y*(2+plane))<<(depth-8)/2) % (2 * (top + 1))
			v = min(v, 2*top+1-v) // a triangle, without jumps
		}
		v <<= d.Components[0].Shift
		row[i*size] = byte(v)
		if size == 2 {
			row[i*size+1] = byte(v >> 8)
		}
	}
}
