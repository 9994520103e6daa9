package wddm_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/gpu"
)

// The failure: a pinned buffer allocated and freed for every frame.
func ExampleEmulate() {
	var device gpu.Device = &fakeDevice{} // any device: gpu/cpu, gpu/cuda

	params, err := wddm.Parse("article-video")
	if err != nil {
		fmt.Println(err)
		return
	}
	card, err := wddm.Emulate(device, params, wddm.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer card.Close()
	card.Start(30, 1) // the set-up is over; 30 frames per second

	ctx := context.Background()
	for n := range int64(900) {
		if err := card.Begin(ctx, n); err != nil {
			fmt.Println(err)
			return
		}
		buf, err := card.AllocHost(1920*1080*3, gpu.Pinned)
		var why *wddm.Refusal
		if errors.As(err, &why) {
			fmt.Printf("frame %d: %v\n", n, why)
			return
		}
		buf.Free()
		card.End(n)
	}
	// Output:
	// frame 156: emulated card article-video: device memory (LOCAL) holds 7.54 GB of 7.54 GB, and this takes 6.3 MB; 941.7 MB of it is freed but not reclaimed yet
}

// The same churn behind the guard. The card is the guard's meter and its clock.
func ExampleCard_guard() {
	params, err := wddm.Parse("article-video")
	if err != nil {
		fmt.Println(err)
		return
	}
	card, err := wddm.Emulate(&fakeDevice{}, params, wddm.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer card.Close()
	card.Start(30, 1)

	panel := budget.NewPanel()
	panel.Attach(card, 0)
	guard, err := budget.NewGuard(budget.DefaultConfig(), panel, card, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	for n := range int64(900) {
		if err := guard.Admit(ctx, n, 1920*1080*3); err != nil {
			fmt.Println(err)
			return
		}
		buf, err := card.AllocHost(1920*1080*3, gpu.Pinned)
		if err != nil {
			fmt.Println(err)
			return
		}
		guard.Allocated(n)
		buf.Free()
		guard.Done(n)
	}
	s := guard.Summary()
	fmt.Printf("%d frames, lowest headroom %s, held back for %.0f of %.0f s\n",
		s.Frames, budget.FormatBytes(s.Limiting.Headroom), s.Throttled.Seconds(), card.Now().Seconds())
	fmt.Println(s.Transitions[0].To, "before", s.Transitions[1].To)
	// Output:
	// 900 frames, lowest headroom 35.6 MB, held back for 27 of 57 s
	// throttle before hold
}

// What churn comes to, without running it.
func ExampleParams_Forecast() {
	for _, name := range []string{"article-video", "card-24g", "nonlocal-32g"} {
		p, err := wddm.Lookup(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		f := p.Forecast(1920*1080*3, gpu.Pinned, 30, 1)
		fmt.Printf("%s: at most %s at once, %s free in %s: fails at frame %d\n",
			name, budget.FormatBytes(f.Peak), budget.FormatBytes(f.Headroom), f.Domain.Title(), f.FailsAt)
	}
	// Output:
	// article-video: at most 1.95 GB at once, 990.0 MB free in device memory (LOCAL): fails at frame 156
	// card-24g: at most 1.95 GB at once, 17.35 GB free in device memory (LOCAL): fails at frame -1
	// nonlocal-32g: at most 1.95 GB at once, 1.60 GB free in shared GPU memory (NON_LOCAL): fails at frame 253
}
