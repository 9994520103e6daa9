package wddm

import (
	"fmt"
	"time"

	"github.com/pinring/pinring/budget"
)

// Profile is a named set of parameters.
type Profile struct {
	Summary string
	Params
}

const (
	gb = budget.GB
	mb = budget.MB
)

// base is what the profiles share: a developer's machine of 32 GB with an 8 GB card, of which the
// desktop and other programs use 0.9 GB and a CUDA context 0.45 GB. GB are powers of ten.
func base(name string) Params {
	return Params{
		Profile: name, Total: 8 * gb, Others: 900 * mb, Context: 450 * mb,
		RAM: 32 * gb, RAMOthers: 8 * gb,
		ChargeSmall: 1.016, ChargeLarge: 1.05, Mapped: 1,
		Reclaim: 10 * time.Second, InFlight: 8, Seed: 1,
	}
}

// Profiles returns the profiles. The caller owns the slice.
func Profiles() []Profile {
	model := base("article-model")
	model.Resident, model.Budget = 5200*mb, 7050*mb

	video := base("article-video")
	video.Resident, video.Headroom, video.Sticky = 5200*mb, 990*mb, true

	large := base("card-24g")
	large.Total, large.Resident, large.Budget = 24*gb, 5200*mb, 23*gb

	nonlocal := base("nonlocal-32g")
	nonlocal.Segment, nonlocal.Budget, nonlocal.Sticky = NonLocal, 7050*mb, true
	nonlocal.SharedTotal, nonlocal.SharedOthers, nonlocal.SharedResident = 16*gb, 400*mb, 14*gb
	nonlocal.RAMOthers = 20 * gb

	return []Profile{
		{"8 GB card with 5.2 GB of weights: pinning 1 GiB leaves no room for a 512 MiB tensor", model},
		{"8 GB card with 0.99 GB free: one pinned 1080p RGB buffer per frame at 30 fps exhausts it", video},
		{"24 GB card: the same churn finds room for all that is pending", large},
		{"pinned memory is charged to shared GPU memory, half of 32 GB RAM, of which a model's pinned weights use 14 GB", nonlocal},
	}
}

// Lookup finds a profile by name.
func Lookup(name string) (Params, error) {
	var names []string
	for _, p := range Profiles() {
		if p.Profile == name {
			return p.Params, nil
		}
		names = append(names, p.Profile)
	}
	return Params{}, fmt.Errorf("emulated card: no profile %q%s", name, suggest(name, names))
}

// NotModelled lists what a real WDDM card does and the emulated one does not.
func NotModelled() []string {
	return []string{
		"page tables and other management structures, beyond what the charge ratio contains",
		"eviction: its cost in time, and memory that moves out and comes back",
		"spilling of device memory into system memory instead of a failure",
		"budgets that Windows lowers for other reasons than the given pressure",
		"the time that allocating and freeing take",
		"migration of managed memory; it is charged the given share, 0 by default",
		"fragmentation and granularity: charges are exact to the byte",
		"limits on a single allocation",
		"cuMemGetInfo's view of a process budget: free memory is the card's",
	}
}
