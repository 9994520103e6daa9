package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/pinring/pinring/internal/av"
)

// uprightFilters are the filters that bring pictures with a display matrix upright, in the syntax of
// a chain: those that FFmpeg's program puts in front of its own. None are needed for a matrix that
// changes nothing; odd is the angle, clockwise, of one that no quarter turn answers.
func uprightFilters(m *[9]int32) (filters string, odd float64) {
	if m == nil {
		return "", 0
	}
	angle := math.Round(-av.Rotation(m)) // clockwise
	angle -= 360 * math.Floor(angle/360+0.9/360)
	near := func(a float64) bool { return math.Abs(angle-a) < 1 }
	var list []string
	add := func(when bool, filter string) {
		if when {
			list = append(list, filter)
		}
	}
	switch {
	case near(0):
		add(m[4] < 0, "vflip")
	case near(90):
		add(m[3] > 0, "transpose=cclock_flip")
		add(m[3] <= 0, "transpose=clock")
	case near(180):
		add(m[0] < 0, "hflip")
		add(m[4] < 0, "vflip")
	case near(270):
		add(m[3] < 0, "transpose=clock_flip")
		add(m[3] >= 0, "transpose=cclock")
	default:
		return "", angle
	}
	return strings.Join(list, ","), 0
}

// upright is what is done to bring the pictures of a run upright.
type upright struct {
	filters string // in front of the chain; empty: nothing
	odd     float64
}

// uprightOf decides by the display matrix of a stream or picture, unless the user wants it left alone.
func (w *way) uprightOf(m *[9]int32) upright {
	if w.j.Input.NoAutorotate {
		return upright{}
	}
	var u upright
	u.filters, u.odd = uprightFilters(m)
	return u
}

// quarter reports whether width and height are exchanged.
func (u upright) quarter() bool { return strings.HasPrefix(u.filters, "transpose") }

// chain puts the filters in front of the user's.
func (u upright) chain(users string) string {
	if u.filters == "" || strings.TrimSpace(users) == "" {
		return u.filters + users
	}
	return u.filters + "," + users
}

// noteUpright says once what becomes of pictures that are not to be shown as they are coded.
func (w *way) noteUpright() {
	u := w.upright
	switch {
	case u.filters != "":
		w.note(fmt.Sprintf("the picture is turned upright: %s (--no-autorotate leaves it as it is)", u.filters))
	case u.odd != 0 && w.carriesMatrix():
		w.note(fmt.Sprintf("the picture is to be turned by %.0f degrees, which is no quarter turn: it is not turned, and the output says the same", u.odd))
	case u.odd != 0:
		w.note(fmt.Sprintf("the picture is to be turned by %.0f degrees, which is no quarter turn: it is not turned", u.odd))
	case w.rotatedInput() && !w.carriesMatrix() && w.j.output != outputNull && !strings.HasPrefix(w.j.output, outputMD5):
		w.note("the picture is not turned upright, and this output cannot say that it should be")
	}
}

// rotatedInput reports whether the container wants the picture turned or mirrored.
func (w *way) rotatedInput() bool {
	filters, odd := uprightFilters(w.source.Input().Video.Matrix)
	return filters != "" || odd != 0
}

// carriesMatrix reports whether the output's container has a place for a display matrix.
func (w *way) carriesMatrix() bool {
	switch strings.ToLower(filepath.Ext(w.j.output)) {
	case ".mp4", ".mov", ".m4v":
		return true
	}
	return false
}

// settleUpright decides what brings the pictures upright, by what the container says, and makes the
// report tell the size that they are then shown in. The orientation that a coded stream may bring
// with single pictures does not count: FFmpeg turns only those pictures that carry it.
func (w *way) settleUpright() {
	w.upright = w.uprightOf(w.source.Input().Video.Matrix)
	if in := w.j.report.Input; w.upright.quarter() && in != nil {
		in.Width, in.Height = in.Height, in.Width
	}
}
