package wddm

import (
	"errors"
	"fmt"
)

// Why a real card is not filled. They are matched (errors.Is) by *[BallastError].
var (
	ErrNoCard       = errors.New("it is no graphics card with memory of its own")
	ErrBallastBusy  = errors.New("another process has filled it already")
	ErrCardInUse    = errors.New("other processes use it")
	ErrCardTooSmall = errors.New("it has too little free memory")
)

// BallastError says that a real card is not filled, and why. Nothing of it is held.
type BallastError struct {
	Device string // the card's name
	Err    error  // one of the reasons above
	Detail string // more to say: who, how much, what to do
}

func (e *BallastError) Error() string {
	return fmt.Sprintf("mode=ballast cannot fill %s: %v: %s", e.Device, e.Err, e.Detail)
}

// Unwrap is the reason.
func (e *BallastError) Unwrap() error { return e.Err }
