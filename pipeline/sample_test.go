package pipeline

import "testing"

// TestSampled: each frame is stood for once, but for the last few.
func TestSampled(t *testing.T) {
	r := &run{}
	var stoodFor, timed int64
	for n := int64(1); n <= 1000; n++ {
		if s := r.sampled(); s > 0 {
			timed++
			stoodFor += s
		}
		if n <= timedFirst && stoodFor != n {
			t.Fatalf("after %d frames, %d are stood for: the first are all timed", n, stoodFor)
		}
		if missing := n - stoodFor; missing < 0 || missing >= timedEach {
			t.Fatalf("after %d frames, %d are stood for", n, stoodFor)
		}
	}
	if most := int64(timedFirst + 1000/timedEach); timed > most {
		t.Errorf("%d of 1000 frames were timed, more than %d", timed, most)
	}
}
