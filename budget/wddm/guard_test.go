package wddm_test

import (
	"context"
	"testing"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/gpu"
)

const frameBytes = 1920 * 1080 * 3

func TestSim(t *testing.T) {
	for _, frames := range []int64{600, 750, 900, 920, 940, 960, 1000, 1050, 1100, 1200, 1500} {
		c := open(t, "article-video", wddm.Options{})
		c.Start(30, 1)
		panel := budget.NewPanel()
		panel.Attach(c, 0)
		cfg := budget.DefaultConfig()
		g, err := budget.NewGuard(cfg, panel, c, nil)
		if err != nil {
			t.Fatal(err)
		}
		for n := range frames {
			if err := g.Admit(context.Background(), n, frameBytes); err != nil {
				t.Fatal(err)
			}
			b, err := c.AllocHost(frameBytes, gpu.Pinned)
			if err != nil {
				t.Fatal(n, err)
			}
			g.Allocated(n)
			b.Free()
			g.Done(n)
		}
		charge := 6320333.
		H := 990e6
		min := (float64(frames)*charge - H) / (H / 10)
		s := g.Summary()
		t.Logf("frames %d time %v min %.1f ratio %.3f lowest %v throttled %v transitions %d", frames, c.Now(), min, c.Now().Seconds()/min, s.Limiting.Headroom, s.Throttled, len(s.Transitions))
		if frames == 900 {
			for _, x := range s.Transitions {
				t.Log(x.At.Round(time.Millisecond), x)
			}
		}
	}
}
