package decode

import (
	"fmt"
	"strconv"
	"strings"
)

// preferDefault is what FFmpeg's program adds to the pixels of a stream that the author marked as
// the default one, when it chooses among several.
const preferDefault = 5_000_000

// choose finds the video stream that want names; see Params.Stream.
func choose(path string, streams []Stream, want string) (int, error) {
	switch {
	case want == "":
		return best(path, streams)
	case strings.HasPrefix(want, "v:"):
		n, err := strconv.Atoi(want[2:])
		if err != nil || n < 0 {
			return 0, badSpec(path, want)
		}
		return nthVideo(path, streams, n)
	}
	n, err := strconv.Atoi(want)
	if err != nil || n < 0 {
		return 0, badSpec(path, want)
	}
	if n >= len(streams) {
		return 0, &Error{Path: path, What: fmt.Sprintf("has no stream %d", n), Hint: list(streams), Err: ErrNoVideo}
	}
	return video(path, streams, n)
}

func best(path string, streams []Stream) (int, error) {
	found, score := -1, -1
	for i, s := range streams {
		if s.Kind != "video" || s.Picture {
			continue
		}
		v := s.Width * s.Height
		if s.Default {
			v += preferDefault
		}
		if v > score {
			found, score = i, v
		}
	}
	if found < 0 {
		return 0, &Error{Path: path, What: "cannot be decoded", Hint: list(streams), Err: ErrNoVideo}
	}
	return found, nil
}

func nthVideo(path string, streams []Stream, n int) (int, error) {
	seen := 0
	for i, s := range streams {
		if s.Kind != "video" {
			continue
		}
		if seen == n {
			return video(path, streams, i)
		}
		seen++
	}
	return 0, &Error{Path: path, What: fmt.Sprintf("has no stream v:%d", n), Hint: list(streams), Err: ErrNoVideo}
}

// video checks that stream i holds moving pictures.
func video(path string, streams []Stream, i int) (int, error) {
	s := streams[i]
	switch {
	case s.Kind != "video":
		return 0, &Error{Path: path, What: fmt.Sprintf("stream %d is %s", i, s.Kind), Hint: list(streams), Err: ErrNoVideo}
	case s.Picture:
		return 0, &Error{Path: path, What: fmt.Sprintf("stream %d is a cover picture", i), Hint: list(streams), Err: ErrNoVideo}
	}
	return i, nil
}

func badSpec(path, want string) error {
	return &Error{Path: path, What: fmt.Sprintf("stream %q is not understood", want),
		Hint: `write "v:0" for the first video stream, or a stream's index`}
}

// list names the streams there are.
func list(streams []Stream) string {
	if len(streams) == 0 {
		return "the file has no streams"
	}
	var b strings.Builder
	b.WriteString("the file has")
	for i, s := range streams {
		if i > 0 {
			b.WriteByte(',')
		}
		kind := s.Kind
		if s.Picture {
			kind = "cover picture"
		}
		fmt.Fprintf(&b, " %d: %s (%s)", i, kind, s.Codec)
	}
	return b.String()
}
