package wddm

import (
	"slices"
	"time"

	"github.com/pinring/pinring/budget/internal/roster"
)

// withPeers runs f on the books with the present time and, on a shared card, with what other
// processes have in use; nobody else changes that meanwhile. What f changed is told to them.
func (c *Card) withPeers(f func() error) error {
	c.tick()
	if c.shared == nil {
		return f()
	}
	var failed error
	err := c.shared.Do(func(peers []roster.Peer, own *roster.Values) error {
		now := time.Now().UnixNano()
		c.books.peers = sumPeers(peers, now)
		failed = f() // a refusal does not keep reclaimed memory from being told
		*own = c.books.publish(now)
		return nil
	})
	if failed != nil {
		return failed
	}
	return err
}

// A published record is what is in use for good, by domain, and up to numBuckets times of reclaim:
// until (Unix nanoseconds), and the amounts in use until then. So a process that does nothing does
// not have to say that its pending memory has come back.
const (
	numBuckets  = 8
	bucketSize  = 1 + len(amounts{})
	bucketStart = len(amounts{})
)

// Compile-time check that a record holds all that.
var _ = roster.Values{}[bucketStart+numBuckets*bucketSize-1]

// publish writes the books into a record. Reclaims that are close together share a bucket, whose
// time is that of the last: others may see memory for a little longer than it is in use, never
// shorter.
func (l *ledger) publish(unixNow int64) (v roster.Values) {
	live := l.live
	pending := slices.Clone(l.reclaims)
	slices.SortFunc(pending, func(a, b due) int { return int(min(max(a.at-b.at, -1), 1)) })
	var sum amounts
	per := (len(pending) + numBuckets - 1) / numBuckets
	for i, d := range pending {
		b := v[bucketStart+i/per*bucketSize:]
		b[0] = unixNow + int64(d.at-l.now)
		for k, n := range d.amt {
			b[1+k] += n
		}
		sum = plus(sum, d.amt)
	}
	// A free that is booked for later counts as live and has a reclaim booked already.
	live = minus(plus(live, l.pending), sum)
	copy(v[:], live[:])
	return v
}

// plausible rejects numbers that no process can have in use, which would spoil the sums.
func plausible(v *roster.Values) bool {
	for i, n := range v {
		isTime := i >= bucketStart && (i-bucketStart)%bucketSize == 0
		if !isTime && n > mostBytes {
			return false
		}
	}
	return true
}

// sumPeers is what other processes have in use.
func sumPeers(peers []roster.Peer, unixNow int64) (sum amounts) {
	for i := range peers {
		v := &peers[i].Values
		if !plausible(v) {
			continue
		}
		sum = plus(sum, amounts(v[:len(sum)]))
		for k := range numBuckets {
			b := v[bucketStart+k*bucketSize:]
			if b[0] > unixNow {
				sum = plus(sum, amounts(b[1:bucketSize]))
			}
		}
	}
	return sum
}
