//go:build !windows || !(amd64 || arm64)

package meters

import "github.com/pinring/pinring/gpu"

// openSystem does nothing: only Windows has meters of its own.
func (s *Set) openSystem(gpu.Info) {}

func (s *Set) openSystemOutside() {}
