package decode

import (
	"errors"
	"testing"
)

var several = []Stream{
	{Index: 0, Kind: "audio"}, {Index: 1, Kind: "video", Picture: true, Width: 4000, Height: 4000},
	{Index: 2, Kind: "video", Width: 320, Height: 180}, {Index: 3, Kind: "video", Width: 640, Height: 360},
	{Index: 4, Kind: "data"},
}

func TestChoose(t *testing.T) {
	for want, index := range map[string]int{"": 3, "v:1": 2, "v:2": 3, "2": 2, "3": 3,
		"v:0": -1, "0": -1, "1": -1, "4": -1, "5": -1, "v:3": -1, "v:": -1, "v:x": -1, "x": -1, "-1": -1, "v:-1": -1, " 2": -1} {
		got, err := choose("f", several, want)
		if index < 0 {
			var e *Error
			if !errors.As(err, &e) || e.Hint == "" {
				t.Errorf("%q: got %d, %v, want an *Error with a hint", want, got, err)
			}
		} else if err != nil || got != index {
			t.Errorf("%q: got %d, %v, want %d", want, got, err, index)
		}
	}
	marked := append([]Stream(nil), several...)
	marked[2].Default = true
	if got, err := choose("f", marked, ""); err != nil || got != 2 {
		t.Errorf("the default one: got %d, %v, want 2", got, err)
	}
}

func FuzzChoose(f *testing.F) {
	for _, s := range []string{"", "v:0", "3", "v:99999999999999999999", "v:-0", "١", "v:+1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, want string) {
		i, err := choose("f", several, want)
		if err == nil && (several[i].Kind != "video" || several[i].Picture) {
			t.Errorf("%q chose stream %d, %+v", want, i, several[i])
		}
	})
}
