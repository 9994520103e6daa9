package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/quota"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/transfer"
)

// The smallest share of the pinned memory of this host that is worth having, and how long to wait
// for it: a ring of a few 1080p pictures, and as long as a short run lasts.
const (
	leastShare    = 16 * budget.MiB
	sharePatience = 5 * time.Second
)

// cap is the limit on staging memory, 0 for none. A mode that allocates for each frame is there to
// meet the card's own limit, so only the user's word caps it.
func (s *stock) cap(up, down transfer.Mode) int64 {
	limit := int64(s.config.Staging.MaxPinned)
	card := s.cardOf()
	if limit > 0 {
		if w := budget.CapWarning(card.model, budget.Card{TotalBytes: card.total}, limit); w != "" {
			s.say(w)
		}
		return limit
	}
	if up.PerFrame || down.PerFrame {
		return 0
	}
	limit, why := budget.Cap(card.model, hostLimits(), budget.Card{TotalBytes: card.total})
	if limit < budget.CapPlain {
		s.say(fmt.Sprintf("staging memory is capped at %s: %s", budget.FormatBytes(limit), why))
	}
	return limit
}

// claim takes this process's part of what all processes of the host may pin together, and returns
// the limit for all its inputs. Nothing is page-locked on the CPU device or an emulated card, and there is
// nothing to share.
func (s *stock) claim(ctx context.Context, limit int64) (int64, error) {
	if limit <= 0 || s.dev.Info().Kind != gpu.CUDA || s.purse.Card != nil {
		return limit, nil
	}
	q, err := quota.Acquire(ctx, "", quota.Request{Cap: limit, Want: limit, Min: min(leastShare, limit), Patience: sharePatience})
	if errors.Is(err, quota.ErrNoRoom) {
		return 0, &hinted{at(stageStaging, errors.Join(budget.ErrExhausted, err)), "--max-pinned raises this process's idea of the cap; the smallest one holds"}
	}
	if err != nil {
		s.say(fmt.Sprintf("pinned memory is not shared with other processes: %v", err))
		return limit, nil
	}
	s.quota = q
	if n := q.Granted(); n < limit/2 {
		s.say(fmt.Sprintf("other processes have pinned memory, too: %s of the %s are this one's", budget.FormatBytes(n), budget.FormatBytes(limit)))
		return n, nil
	}
	return q.Granted(), nil
}
