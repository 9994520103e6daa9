package contest

import "github.com/pinring/pinring/config"

// PatienceAdvice is for a run whose guard gave up.
func PatienceAdvice(c config.Config) string {
	if c.Budget.Policy == "wait" {
		return "no memory is on its way back: allocate once and reuse (--staging reuse), or stage in pageable memory (--guard-policy degrade)"
	}
	return "--guard-policy wait waits for memory to come back, degrade stages in pageable memory"
}

// MemoryAdvice is what would need less memory than the settings do.
func MemoryAdvice(c config.Config) string {
	switch {
	case !StagingModes[c.Staging.Mode].PerFrame:
		return "fewer --in-flight frames, --slots or --decoder-threads need less memory"
	case c.Budget.Guard != "on":
		return "allocate once and reuse (--staging reuse), or let the guard wait for the memory to come back (--guard on)"
	}
	return "allocate once and reuse: --staging reuse"
}
