package tally

import "github.com/pinring/pinring/report"

// MostSamples bounds the series of a report.
const MostSamples = 2000

// Series keeps samples of a run of unknown length: when there are too many, every other one goes,
// and from then on only every other frame is sampled.
type Series struct {
	Points []report.Sample
	step   int64 // frames from one sample to the next; 0 is 1
}

// Wants reports whether frame n is to be sampled.
func (s *Series) Wants(n int64) bool { return s.step <= 1 || n%s.step == 0 }

// Add takes a sample, if it is wanted.
func (s *Series) Add(p report.Sample) {
	if !s.Wants(p.Frame) {
		return
	}
	if len(s.Points) == MostSamples {
		s.step = max(2*s.step, 2)
		kept := s.Points[:0]
		for _, q := range s.Points {
			if s.Wants(q.Frame) {
				kept = append(kept, q)
			}
		}
		s.Points = kept
		if !s.Wants(p.Frame) {
			return
		}
	}
	s.Points = append(s.Points, p)
}
