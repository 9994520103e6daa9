package frame

// HDR is what a stream says of the display that it was mastered on (SMPTE ST 2086) and of its
// content's light (CTA-861.3). Values that are not known are not valid, or 0. It is immutable and
// may be shared.
type HDR struct {
	// Primaries of red, green and blue, and the white point, as x and y of CIE 1931.
	Primaries [3][2]Rational
	White     [2]Rational
	// Luminance of the display in cd/m².
	MinLuminance, MaxLuminance Rational
	// Light of the brightest pixel and of the brightest picture on average, in cd/m².
	MaxCLL, MaxFALL int
}

// HasPrimaries reports whether primaries and white point are known.
func (h *HDR) HasPrimaries() bool { return h.White[0].Valid() && h.Primaries[0][0].Valid() }

// HasLuminance reports whether the display's luminance is known.
func (h *HDR) HasLuminance() bool { return h.MaxLuminance.Valid() }

// HasLight reports whether the content's light is known.
func (h *HDR) HasLight() bool { return h.MaxCLL > 0 || h.MaxFALL > 0 }
