package pipeline

import (
	"testing"

	"github.com/pinring/pinring/frame"
)

// Each new shape is said once, and a file that takes ever new ones does not fill the terminal.
func TestChangesAreSaidOnce(t *testing.T) {
	var said []string
	r := &run{Params: Params{Note: func(s string) { said = append(said, s) }}, first: &frame.Info{Format: frame.YUV420P, Width: 9, Height: 9}}
	for round := range 3 {
		for i := range 100 {
			r.noteChange(frame.Info{Format: frame.YUV420P, Width: 10 + i%(3+round*50), Height: 10})
		}
		if want := []int{3, 9, 9}[round]; len(said) != want {
			t.Fatalf("%d notes, want %d: %q", len(said), want, said)
		}
	}
	if want := "the picture changed to 11x10 yuv420p; the output stays 9x9 yuv420p"; said[1] != want {
		t.Error(said[1])
	}
}
