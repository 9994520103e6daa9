package av

// withPadding is the limit of pixels that FFmpeg is given so that it refuses no picture of limit pixels
// or less: it compares the size that decoders allocate, not the one that is shown. Decoders round both
// sides up to whole blocks, of 64 pixels at most, and FFmpeg lines up to 64 pixels more.
func withPadding(limit int64) int64 {
	const blocks, lines, longest = 63, 63 + 63, 1 << 16
	if limit > 1<<40 {
		return limit
	}
	return limit + (blocks+lines)*min(limit, longest) + blocks*lines
}
