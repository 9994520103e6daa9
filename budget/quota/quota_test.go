package quota

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

const mib = int64(1) << 20

func acquire(t *testing.T, dir string, r Request) *Share {
	t.Helper()
	s, err := Acquire(context.Background(), dir, r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestAloneGetsWhatItWants(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	s := acquire(t, dir, Request{Cap: 256 * mib, Want: 200 * mib, Min: mib})
	if g := s.Granted(); g != 128*mib {
		t.Errorf("at first: %d, want half of the cap", g)
	}
	now, target, err := s.Rebalance()
	if err != nil || now != 200*mib || target != 200*mib {
		t.Errorf("then: %d, %d, %v", now, target, err)
	}
}

func TestANewcomerMakesOthersShrink(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r := Request{Cap: 256 * mib, Want: 256 * mib, Min: mib}
	a := acquire(t, dir, r)
	if now, _, err := a.Rebalance(); err != nil || now != 256*mib {
		t.Fatalf("a has %d, %v", now, err)
	}
	_, err := Acquire(context.Background(), dir, r)
	var full *FullError
	if !errors.As(err, &full) || !errors.Is(err, ErrNoRoom) || full.Left != 0 || full.Processes != 1 {
		t.Fatalf("b: %v", err)
	}
	if err := a.Shrink(200 * mib); err != nil {
		t.Fatal(err)
	}
	b := acquire(t, dir, r)
	if b.Granted() != 28*mib {
		t.Errorf("b has %d", b.Granted())
	}
	now, target, err := a.Rebalance()
	if err != nil || now != 200*mib || target != 128*mib {
		t.Errorf("a: %d, %d, %v", now, target, err)
	}
	if err := a.Shrink(target); err != nil {
		t.Fatal(err)
	}
	if now, target, err := b.Rebalance(); err != nil || now != 128*mib || target != 128*mib {
		t.Errorf("b: %d, %d, %v", now, target, err)
	}
}

func TestTheSmallestCapHolds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	acquire(t, dir, Request{Cap: 100 * mib, Want: 50 * mib, Min: mib})
	b := acquire(t, dir, Request{Cap: 1000 * mib, Want: 500 * mib, Min: mib})
	if now, _, err := b.Rebalance(); err != nil || now > 50*mib {
		t.Errorf("b has %d of a cap of 100 MiB, %v", now, err)
	}
}

func TestSenselessRequests(t *testing.T) {
	for _, r := range []Request{{}, {Cap: 1, Want: 1}, {Cap: 1, Want: 1, Min: 2}, {Want: 1, Min: 1}, {Cap: 1 << 60, Want: 1, Min: 1}} {
		if s, err := Acquire(context.Background(), filepath.Join(t.TempDir(), "run"), r); err == nil {
			s.Close()
			t.Errorf("%+v is granted", r)
		}
	}
}

func TestForeignFilesAreCounted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	s := acquire(t, dir, Request{Cap: 100 * mib, Want: 100 * mib, Min: mib})
	for name, data := range map[string]string{"x": "", "1-0123456789abcdef.share": "not a record"} {
		if err := os.WriteFile(filepath.Join(dir, kind, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if now, _, err := s.Rebalance(); err != nil || now != 100*mib {
		t.Errorf("%d, %v", now, err)
	}
	if foreign, broken := s.Ignored(); foreign != 1 || broken != 1 {
		t.Errorf("foreign %d, broken %d", foreign, broken)
	}
	u, err := Survey(dir)
	if err != nil || u.Granted != 100*mib || u.Foreign != 1 || u.Broken != 1 {
		t.Errorf("%+v, %v", u, err)
	}
}

// The fair part against its definition.
func TestFairPart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.Int64Range(0, 1000).Draw(t, "total")
		wants := rapid.SliceOfN(rapid.Int64Range(0, 1000), 1, 6).Draw(t, "wants")
		n := int64(len(wants))
		var sum, all, most int64
		for _, w := range wants {
			p := fairPart(total, wants, w)
			if p > w {
				t.Fatalf("who wants %d gets %d", w, p)
			}
			sum, all, most = sum+p, all+w, max(most, p)
		}
		if sum > total {
			t.Fatalf("%d of %d is given", sum, total)
		}
		if sum < min(total, all)-n { // less only by rounding
			t.Fatalf("%d of %d is given although %d is wanted", sum, total, all)
		}
		for _, w := range wants {
			if p := fairPart(total, wants, w); p < w && p < most {
				t.Fatalf("who wants %d gets %d, and somebody has %d", w, p, most)
			}
		}
	})
}

// Whatever processes do in whatever order, the sum stays under the cap.
func TestSumStaysUnderTheCap(t *testing.T) {
	base := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(base, "")
		if err != nil {
			t.Fatal(err)
		}
		const limit = 1000
		var shares []*Share
		defer func() {
			for _, s := range shares {
				s.Close()
			}
		}()
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			who := rapid.IntRange(0, max(len(shares)-1, 0)).Draw(t, "who")
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				want := rapid.Int64Range(1, 2000).Draw(t, "want")
				s, err := Acquire(context.Background(), dir, Request{Cap: limit, Want: want, Min: 1})
				if err != nil && !errors.Is(err, ErrNoRoom) {
					t.Fatal(err)
				}
				if err == nil {
					shares = append(shares, s)
				}
			case 1:
				if len(shares) > 0 {
					s := shares[who]
					now, target, err := s.Rebalance()
					if err != nil {
						t.Fatal(err)
					}
					if now > target {
						if err := s.Shrink(target); err != nil {
							t.Fatal(err)
						}
					}
				}
			case 2:
				if len(shares) > 0 {
					if err := shares[who].Want(rapid.Int64Range(0, 2000).Draw(t, "new want")); err != nil {
						t.Fatal(err)
					}
				}
			case 3:
				if len(shares) > 0 {
					shares[who].Close()
					shares = append(shares[:who], shares[who+1:]...)
				}
			}
			u, err := Survey(dir)
			if err != nil || u.Granted > limit {
				t.Fatalf("%d of %d is granted, %v", u.Granted, limit, err)
			}
		}
	})
}
