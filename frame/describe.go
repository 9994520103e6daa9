package frame

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

var table = []Desc{
	planar("gray", 8, 0, 0, 1),
	planar("gray10le", 10, 0, 0, 1),
	planar("gray12le", 12, 0, 0, 1),
	planar("gray16le", 16, 0, 0, 1),
	planar("yuv420p", 8, 1, 1, 3),
	planar("yuv422p", 8, 1, 0, 3),
	planar("yuv444p", 8, 0, 0, 3),
	planar("yuv440p", 8, 0, 1, 3),
	planar("yuv411p", 8, 2, 0, 3),
	planar("yuv410p", 8, 2, 2, 3),
	fullRange(planar("yuvj420p", 8, 1, 1, 3)),
	fullRange(planar("yuvj422p", 8, 1, 0, 3)),
	fullRange(planar("yuvj444p", 8, 0, 0, 3)),
	planar("yuv420p10le", 10, 1, 1, 3),
	planar("yuv422p10le", 10, 1, 0, 3),
	planar("yuv444p10le", 10, 0, 0, 3),
	planar("yuv420p12le", 12, 1, 1, 3),
	planar("yuv422p12le", 12, 1, 0, 3),
	planar("yuv444p12le", 12, 0, 0, 3),
	planar("yuv420p16le", 16, 1, 1, 3),
	planar("yuv422p16le", 16, 1, 0, 3),
	planar("yuv444p16le", 16, 0, 0, 3),
	planar("yuva420p", 8, 1, 1, 4),
	planar("yuva422p", 8, 1, 0, 4),
	planar("yuva444p", 8, 0, 0, 4),
	planar("yuva444p12le", 12, 0, 0, 4),
	semiPlanar("nv12", 8, 0, 1, 2),
	semiPlanar("nv21", 8, 0, 2, 1),
	semiPlanar("p010le", 10, 6, 1, 2),
	packedRGB("rgb24", 3, 0, 1, 2, -1),
	packedRGB("bgr24", 3, 2, 1, 0, -1),
	packedRGB("rgba", 4, 0, 1, 2, 3),
	packedRGB("bgra", 4, 2, 1, 0, 3),
	planarRGB("gbrp", 8),
	planarRGB("gbrp10le", 10),
	planarRGB("gbrp12le", 12),
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

// semiPlanar describes a plane of Y and one of interleaved chroma; u and v are 1-based positions.
func semiPlanar(name PixelFormat, depth, shift, u, v int) Desc {
	b := sampleBytes(depth)
	return Desc{Name: name, Log2ChromaW: 1, Log2ChromaH: 1, Components: []Component{
		{Plane: 0, Step: b, Shift: shift, Depth: depth},
		{Plane: 1, Step: 2 * b, Offset: (u - 1) * b, Shift: shift, Depth: depth},
		{Plane: 1, Step: 2 * b, Offset: (v - 1) * b, Shift: shift, Depth: depth},
	}}
}

// packedRGB describes 8-bit interleaved components at the given byte offsets; a < 0 is "no alpha".
func packedRGB(name PixelFormat, step, r, g, b, a int) Desc {
	d := Desc{Name: name, RGB: true, Alpha: a >= 0}
	for _, o := range []int{r, g, b, a} {
		if o >= 0 {
			d.Components = append(d.Components, Component{Step: step, Offset: o, Depth: 8})
		}
	}
	return d
}

// planarRGB describes FFmpeg's gbrp order: plane 0 is green, 1 blue, 2 red.
func planarRGB(name PixelFormat, depth int) Desc {
	d := Desc{Name: name, RGB: true}
	for _, p := range []int{2, 0, 1} {
		d.Components = append(d.Components, Component{Plane: p, Step: sampleBytes(depth), Depth: depth})
	}
	return d
}
