package frame

import (
	"fmt"
	"slices"
)

// Describe returns the description of a pixel format, false when it is not one that we describe.
// The result must not be changed. The table is checked against libavutil's by a test of
// internal/av.
func Describe(f PixelFormat) (*Desc, bool) {
	d, ok := descs[f]
	return d, ok
}

// Described lists the formats that Describe knows, in a fixed order.
func Described() []PixelFormat {
	out := make([]PixelFormat, len(table))
	for i := range table {
		out[i] = table[i].Name
	}
	return out
}

var descs = func() map[PixelFormat]*Desc {
	m := make(map[PixelFormat]*Desc, len(table))
	for i := range table {
		m[table[i].Name] = &table[i]
	}
	return m
}()

// table is what FFmpeg's decoders, encoders and filters give and take, as far as samples are whole
// bytes, little-endian, and neither indexed, floating point nor of a sensor.
var table = slices.Concat(
	depths("gray%s", 0, 0, 1, 8, 9, 10, 12, 14, 16),
	depths("yuv420p%s", 1, 1, 3, 8, 9, 10, 12, 14, 16),
	depths("yuv422p%s", 1, 0, 3, 8, 9, 10, 12, 14, 16),
	depths("yuv444p%s", 0, 0, 3, 8, 9, 10, 12, 14, 16),
	depths("yuv440p%s", 0, 1, 3, 8, 10, 12),
	depths("yuv411p%s", 2, 0, 3, 8),
	depths("yuv410p%s", 2, 2, 3, 8),
	depths("yuva420p%s", 1, 1, 4, 8, 9, 10, 16),
	depths("yuva422p%s", 1, 0, 4, 8, 9, 10, 12, 16),
	depths("yuva444p%s", 0, 0, 4, 8, 9, 10, 12, 16),
	[]Desc{
		fullRange(planar("yuvj420p", 8, 1, 1, 3)),
		fullRange(planar("yuvj422p", 8, 1, 0, 3)),
		fullRange(planar("yuvj444p", 8, 0, 0, 3)),
		fullRange(planar("yuvj440p", 8, 0, 1, 3)),
		fullRange(planar("yuvj411p", 8, 2, 0, 3)),
		greyAlpha("ya8", 8),
		greyAlpha("ya16le", 16),
		semiPlanar("nv12", 8, 0, 1, 1, 1, 2),
		semiPlanar("nv21", 8, 0, 1, 1, 2, 1),
		semiPlanar("nv16", 8, 0, 1, 0, 1, 2),
		semiPlanar("nv20le", 10, 0, 1, 0, 1, 2),
		semiPlanar("nv24", 8, 0, 0, 0, 1, 2),
		semiPlanar("nv42", 8, 0, 0, 0, 2, 1),
		semiPlanar("p010le", 10, 6, 1, 1, 1, 2),
		semiPlanar("p016le", 16, 0, 1, 1, 1, 2),
		semiPlanar("p210le", 10, 6, 1, 0, 1, 2),
		semiPlanar("p216le", 16, 0, 1, 0, 1, 2),
		semiPlanar("p410le", 10, 6, 0, 0, 1, 2),
		semiPlanar("p416le", 16, 0, 0, 0, 1, 2),
		packedRGB("rgb24", 8, 3, 0, 1, 2, -1),
		packedRGB("bgr24", 8, 3, 2, 1, 0, -1),
		packedRGB("rgba", 8, 4, 0, 1, 2, 3),
		packedRGB("bgra", 8, 4, 2, 1, 0, 3),
		packedRGB("argb", 8, 4, 1, 2, 3, 0),
		packedRGB("abgr", 8, 4, 3, 2, 1, 0),
		packedRGB("rgb0", 8, 4, 0, 1, 2, -1),
		packedRGB("bgr0", 8, 4, 2, 1, 0, -1),
		packedRGB("0rgb", 8, 4, 1, 2, 3, -1),
		packedRGB("0bgr", 8, 4, 3, 2, 1, -1),
		packedRGB("rgb48le", 16, 3, 0, 1, 2, -1),
		packedRGB("bgr48le", 16, 3, 2, 1, 0, -1),
		packedRGB("rgba64le", 16, 4, 0, 1, 2, 3),
		packedRGB("bgra64le", 16, 4, 2, 1, 0, 3),
	},
	planarRGB("gbrp%s", false, 8, 9, 10, 12, 14, 16),
	planarRGB("gbrap%s", true, 8, 10, 12, 16),
)

// named writes a depth as FFmpeg's names do: nothing for 8 bits, else "10le".
func named(pattern string, depth int) PixelFormat {
	s := ""
	if depth > 8 {
		s = fmt.Sprintf("%dle", depth)
	}
	return PixelFormat(fmt.Sprintf(pattern, s))
}

// depths describes one planar format at several depths.
func depths(pattern string, cw, ch, n int, depth ...int) (out []Desc) {
	for _, d := range depth {
		out = append(out, planar(named(pattern, d), d, cw, ch, n))
	}
	return out
}

func sampleBytes(depth int) int { return (depth + 7) / 8 }

// planar describes n planes of Y, U, V, A (or Y alone).
func planar(name PixelFormat, depth, cw, ch, n int) Desc {
	d := Desc{Name: name, Log2ChromaW: cw, Log2ChromaH: ch, Alpha: n == 4}
	for p := range n {
		d.Components = append(d.Components, Component{Plane: p, Step: sampleBytes(depth), Depth: depth})
	}
	return d
}

func fullRange(d Desc) Desc {
	d.FullRangeYUV = true
	return d
}

// greyAlpha describes interleaved Y and A.
func greyAlpha(name PixelFormat, depth int) Desc {
	b := sampleBytes(depth)
	return Desc{Name: name, Alpha: true, Components: []Component{
		{Step: 2 * b, Depth: depth}, {Step: 2 * b, Offset: b, Depth: depth},
	}}
}

// semiPlanar describes a plane of Y and one of interleaved chroma; u and v are 1-based positions.
func semiPlanar(name PixelFormat, depth, shift, cw, ch, u, v int) Desc {
	b := sampleBytes(depth)
	return Desc{Name: name, Log2ChromaW: cw, Log2ChromaH: ch, Components: []Component{
		{Plane: 0, Step: b, Shift: shift, Depth: depth},
		{Plane: 1, Step: 2 * b, Offset: (u - 1) * b, Shift: shift, Depth: depth},
		{Plane: 1, Step: 2 * b, Offset: (v - 1) * b, Shift: shift, Depth: depth},
	}}
}

// packedRGB describes n interleaved samples; r, g, b, a are positions, a < 0 is "no alpha".
func packedRGB(name PixelFormat, depth, n, r, g, b, a int) Desc {
	d, size := Desc{Name: name, RGB: true, Alpha: a >= 0}, sampleBytes(depth)
	for _, at := range []int{r, g, b, a} {
		if at >= 0 {
			d.Components = append(d.Components, Component{Step: n * size, Offset: at * size, Depth: depth})
		}
	}
	return d
}

// planarRGB describes FFmpeg's gbrp order: plane 0 is green, 1 blue, 2 red, 3 alpha.
func planarRGB(pattern string, alpha bool, depth ...int) (out []Desc) {
	planes := []int{2, 0, 1}
	if alpha {
		planes = append(planes, 3)
	}
	for _, bits := range depth {
		d := Desc{Name: named(pattern, bits), RGB: true, Alpha: alpha}
		for _, p := range planes {
			d.Components = append(d.Components, Component{Plane: p, Step: sampleBytes(bits), Depth: bits})
		}
		out = append(out, d)
	}
	return out
}
