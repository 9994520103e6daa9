package av

import "math"

// Rotation is how many degrees counter-clockwise a display matrix turns the picture, in (-180, 180];
// 0 for nil and for a matrix without a meaning. The sign is that of av_display_rotation_get, which
// ffprobe prints.
func Rotation(m *[9]int32) float64 {
	if m == nil {
		return 0
	}
	scaleX := math.Hypot(float64(m[0]), float64(m[3]))
	scaleY := math.Hypot(float64(m[1]), float64(m[4]))
	if scaleX == 0 || scaleY == 0 {
		return 0
	}
	return -math.Atan2(float64(m[1])/scaleY, float64(m[0])/scaleX) * 180 / math.Pi
}
