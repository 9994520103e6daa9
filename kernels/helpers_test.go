package kernels_test

import "math/rand/v2"

func noise(n int) []byte {
	r := rand.New(rand.NewPCG(uint64(n), 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32()) & 3 // also valid as the high byte of a 10-bit sample
	}
	return b
}
