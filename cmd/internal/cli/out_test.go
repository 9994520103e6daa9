package cli

import (
	"errors"
	"testing"
)

type full struct{ err error }

func (f full) Write([]byte) (int, error) { return 0, f.err }

// Output that was lost is an error of the output, unless the command failed for a reason of its own.
func TestLostOutput(t *testing.T) {
	why := errors.New("no space left")
	o := NewOut(full{why})
	if err := o.Judge(nil); err != nil {
		t.Errorf("nothing was written: %v", err)
	}
	o.Write([]byte("help"))
	usage, other := Usage("", "wrong"), errors.New("something else")
	for _, c := range []struct{ err, want error }{{nil, why}, {why, why}, {usage, usage}, {other, other}} {
		if got := o.Judge(c.err); !errors.Is(got, c.want) || c.want == why && ExitCode(got) != ExitOutput {
			t.Errorf("%v: %v", c.err, got)
		}
	}
}
