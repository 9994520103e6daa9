package gputest

import (
	"testing"

	"github.com/pinring/pinring/gpu"
)

// Open makes a device for one test, which closes it. It skips the test when there is none.
type Open func(t testing.TB) gpu.Device

// Run runs the whole suite; module is testmodule.Module().
func Run(t *testing.T, open Open, module gpu.Module) {
	for _, test := range []struct {
		name string
		run  func(r *rig)
	}{
		{"Info", testInfo},
		{"MemInfo", testMemInfo},
		{"Alignment", testAlignment},
		{"FreeTwice", testFreeTwice},
		{"OutOfMemory", testOutOfMemory},
		{"BadSizes", testBadSizes},
		{"HostKinds", testHostKinds},
		{"Copy1D", testCopy1D},
		{"Copy2D", testCopy2D},
		{"Fill", testFill},
		{"Order", testOrder},
		{"WaitAcrossStreams", testWaitAcrossStreams},
		{"EventNeverRecorded", testEventNeverRecorded},
		{"EventTiming", testEventTiming},
		{"EventDone", testEventDone},
		{"LaunchShapes", testLaunchShapes},
		{"LaunchEachItemOnce", testLaunchEachItemOnce},
		{"LaunchCells", testLaunchCells},
		{"UnknownKernel", testUnknownKernel},
		{"Refusals", testRefusals},
		{"ManyGoroutines", testManyGoroutines},
		{"SubmitAllocatesNothing", testSubmitAllocatesNothing},
	} {
		t.Run(test.name, func(t *testing.T) { withRig(t, open, module, test.run) })
	}
	t.Run("CloseReportsLeaks", func(t *testing.T) { testLeaks(t, open, module) })
	t.Run("FailNth", func(t *testing.T) { testFailNth(t, open, module) })
}
