// Package wddm emulates a graphics card under Windows' driver model WDDM, as a developer met it:
// pinned host memory counts against the video memory budget of the process, and comes back only
// some time after it was freed. [Emulate] wraps any [gpu.Device], so that the failure, and its
// cure, can be shown on a machine that has no such card.
//
// A [Card] changes AllocHost, Alloc, Free and MemInfo and passes everything else through. It is
// also a [budget.Meter] and, so that its reclaim delay has a time to run in, a [budget.Clock].
// Whatever it reports is marked as emulated. [NotModelled] lists what is left out. Whether real
// pinned memory is charged to LOCAL, to NON_LOCAL or to both is disputed; so the segment is a
// parameter, and nothing here is a statement about Windows.
//
// # The model
//
// Every buffer is charged when it is made:
//
//	charge = size × ratio(size)      pinned, registered, write-combined
//	charge = size × ratio × mapped   mapped        (a parameter, 1 by default)
//	charge = size × ratio × managed  managed       (a parameter, 0 by default)
//	charge = 0                       pageable
//	charge = size                    device memory (always LOCAL)
//
// ratio is charge-small (1.016) up to 512 MiB, charge-large (1.05) from 1 GiB, and on the straight
// line between the two in between. A freed charge stays in use for the reclaim delay: it is pending.
// Device memory is reclaimed at once. A request that does not fit any of its domains is refused.
//
//	usage(LOCAL)     = others + pressure + context + resident + own + other processes of the card
//	limit(LOCAL)     = min(total, others + budget)
//	usage(NON_LOCAL) = shared-others + shared-resident + pressure + own + other processes
//	limit(NON_LOCAL) = shared-total, by default half of ram
//
// own is live plus pending. Churn of one buffer per frame at a steady rate therefore settles at
//
//	pending = rate × charge × reclaim
//
// and fails before that when the headroom is smaller; [Params.Forecast] is that closed form.
//
// # Headroom instead of a budget
//
// A profile may give headroom instead of budget: the budget is then what is in use when the set-up
// is over, plus the headroom. The set-up is over when [Card.Start] is called or, without that, when
// the first frame allocates. So the failing frame does not depend on how much a device, or a number
// of threads, needs for good.
//
// # The media clock
//
// Frame n is admitted at n ÷ rate, plus all time that was waited before it. What frame n allocates
// is booked at that moment; what it frees is booked in-flight frames later, whenever that really
// happened. Time does not pass the moment at which a frame's memory is booked to be free before that
// has really been done: Begin and Wait stop until then. So every reading, every refusal and every
// wait depends on the frames alone: not on the machine, its load, or the degree of concurrency. What
// a caller owes for that: Begin frames in order, from one goroutine at a time; make a frame's
// allocations before the next frame begins; End a frame when its memory is freed, or is to be kept.
//
// # Processes
//
// With card=NAME the processes of one user share one card through files in the runtime directory, on
// the wall clock. Others' desktop and the resident model are there once; each process has a context.
package wddm
