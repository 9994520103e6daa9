package frame

// Color tells how sample values are to be read. The strings are FFmpeg's names, empty when the
// stream does not say.
type Color struct {
	Range          string // "tv" (limited) or "pc" (full)
	Matrix         string // "bt709", "smpte170m", "bt470bg", "bt2020nc", "gbr", …
	Primaries      string
	Transfer       string
	ChromaLocation string // "left", "center", "topleft", …
}
