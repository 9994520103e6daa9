package main

// coresEach is how many cores each of several inputs may count on, 0 for one input: the libraries then
// decide.
func (s *stock) coresEach() int {
	if s.jobs <= 1 {
		return 0
	}
	return max(1, (cores()+s.jobs-1)/s.jobs)
}

// decoderThreads is what the user says, or else an equal part of the cores; 0 is the decoder's choice.
func (s *stock) decoderThreads() int {
	if n := int(s.config.Input.Threads); n > 0 {
		return n
	}
	return s.coresEach()
}
