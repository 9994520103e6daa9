package quota_test

import (
	"context"
	"fmt"
	"os"

	"github.com/pinring/pinring/budget/quota"
)

// A process takes its part of the host's cap, and makes room when others come.
func Example() {
	dir, err := os.MkdirTemp("", "quota") // leave it empty for the user's runtime folder
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	const mib = 1 << 20
	share, err := quota.Acquire(context.Background(), dir, quota.Request{Cap: 256 * mib, Want: 100 * mib, Min: 16 * mib})
	if err != nil {
		fmt.Println(err) // quota.ErrNoRoom: go on with pageable memory
		return
	}
	defer share.Close()
	fmt.Println("granted", share.Granted()/mib, "MiB")

	// Now and then, not for every frame:
	now, target, err := share.Rebalance()
	if err != nil {
		fmt.Println(err)
		return
	}
	if target < now {
		// Free memory down to the target first, then:
		err = share.Shrink(target)
	}
	fmt.Println("may have", target/mib, "MiB", err)
	// Output:
	// granted 100 MiB
	// may have 100 MiB <nil>
}
