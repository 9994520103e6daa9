package main

import (
	"io"

	"github.com/pinring/pinring/cmd/internal/cli"
)

// talk is what the program says to a person, on stderr. It is safe for concurrent use.
type talk struct{ *cli.Talk }

func newTalk(w io.Writer) *talk { return &talk{cli.NewTalk("pinring", w)} }

// about is a talk whose lines are marked with a label.
func (t *talk) about(label string) *talk { return &talk{t.About(label)} }

func (t *talk) say(format string, args ...any) { t.Say(format, args...) }
func (t *talk) fail(err error)                 { t.Fail(err) }
func (t *talk) beQuiet()                       { t.BeQuiet() }
func (t *talk) redirect(w io.Writer) io.Writer { return t.Redirect(w) }

// hinted is an error with advice.
type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }

// Hint is the advice.
func (h *hinted) Hint() string { return h.hint }

// hintOf finds the outermost advice in an error.
func hintOf(err error) string { return cli.HintOf(err) }
