package decode

import (
	"os"

	"github.com/pinring/pinring/internal/av"
)

// Some containers can only be read where one can go back: MP4 and its kin with the index behind the
// pictures, GIF, WTV, TIFF. FFmpeg then says "invalid data", which helps nobody who knows the file to be good.
const (
	pipeAdvice = "name the file itself, or pass it on as `ffmpeg -i IN -c copy -movflags +faststart OUT.mp4` writes it"
	pipeHint   = "is it a video file, and complete? Files with their index at the end (MP4, MOV), GIF, WTV and some images cannot be read from a pipe: " + pipeAdvice
	indexHint  = "an MP4 or MOV whose index (moov) lies at its end cannot be read from a pipe: " + pipeAdvice
)

// piped reports whether a path leads to something that can be read only once and forwards.
func piped(path string) bool {
	info, err := os.Stat(path)
	if av.IsStdin(path) {
		info, err = os.Stdin.Stat()
	}
	return err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0
}
