package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/quota"
	"github.com/pinring/pinring/gpu"
)

// The smallest share of the pinned memory of this host that is worth having, and how long to wait
// for it: a ring of a few 1080p pictures, and as long as a short run lasts.
const (
	leastShare    = 16 * budget.MiB
	sharePatience = 5 * time.Second
)

// share takes this process's part of what all processes of the host may pin together, and returns
// the limit for this run. Nothing is page-locked on the CPU device or an emulated card, and there is
// nothing to share.
func (w *way) share(ctx context.Context, limit int64) (int64, error) {
	if limit <= 0 || w.dev.Info().Kind != gpu.CUDA || w.purse.card != nil {
		return limit, nil
	}
	s, err := quota.Acquire(ctx, "", quota.Request{Cap: limit, Want: limit, Min: min(leastShare, limit), Patience: sharePatience})
	if errors.Is(err, quota.ErrNoRoom) {
		return 0, &hinted{at(stageStaging, errors.Join(budget.ErrExhausted, err)), "--max-pinned raises this process's idea of the cap; the smallest one holds"}
	}
	if err != nil {
		w.note(fmt.Sprintf("pinned memory is not shared with other processes: %v", err))
		return limit, nil
	}
	w.quota = s
	if n := s.Granted(); n < limit/2 {
		w.note(fmt.Sprintf("other processes have pinned memory, too: %s of the %s are this one's", budget.FormatBytes(n), budget.FormatBytes(limit)))
		return n, nil
	}
	return s.Granted(), nil
}
