package dxgi

// Instance is what the name of an instance of "GPU Adapter Memory" says.
type Instance struct {
	LUID LUID
	// Phys numbers the physical adapters that are linked behind one LUID, from 0.
	Phys uint32
}

// ParseInstance reads an instance name in UTF-16, without its final NUL, such as
//
//	luid_0x00000000_0x0000D1E2_phys_0
//
// where HighPart comes before LowPart. It is false for any other name: those of "GPU Process
// Memory" begin with a pid, and those of "GPU Local Adapter Memory" end with a part. It does not
// allocate.
func ParseInstance(name []uint16) (Instance, bool) {
	s := scanner{rest: name, ok: true}
	s.word("luid_0x")
	high := s.number(16)
	s.word("_0x")
	low := s.number(16)
	s.word("_phys_")
	phys := s.number(10)
	if !s.ok || len(s.rest) > 0 {
		return Instance{}, false
	}
	return Instance{LUID: LUID{Low: low, High: int32(high)}, Phys: phys}, true
}

// scanner eats a name from the front; ok is false once something did not fit.
type scanner struct {
	rest []uint16
	ok   bool
}

// word eats w, which is lower case, in any case.
func (s *scanner) word(w string) {
	if !s.ok || len(s.rest) < len(w) {
		s.ok = false
		return
	}
	for i := range len(w) {
		if lower(s.rest[i]) != uint16(w[i]) {
			s.ok = false
			return
		}
	}
	s.rest = s.rest[len(w):]
}

// number eats at least one digit of the base and all that follow; it must fit in 32 bits.
func (s *scanner) number(base uint64) uint32 {
	var n uint64
	digits := 0
	for ; digits < len(s.rest); digits++ {
		d := digit(s.rest[digits])
		if d >= base {
			break
		}
		if n = n*base + d; n > 1<<32-1 {
			s.ok = false
			return 0
		}
	}
	s.ok = s.ok && digits > 0
	s.rest = s.rest[digits:]
	return uint32(n)
}

// lower folds ASCII only: folding further would let other letters pass for ours.
func lower(c uint16) uint16 {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// digit is the value of a hexadecimal digit, 16 for any other character.
func digit(c uint16) uint64 {
	switch c = lower(c); {
	case c >= '0' && c <= '9':
		return uint64(c - '0')
	case c >= 'a' && c <= 'f':
		return uint64(c-'a') + 10
	}
	return 16
}
