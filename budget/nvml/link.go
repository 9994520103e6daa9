//go:build windows || linux

package nvml

import "strings"

// Link is a PCIe link: its generation and width now, and the most that card and slot can do. A card
// that has nothing to do lowers the generation. 0 is not known.
type Link struct{ Generation, MaxGeneration, Width, MaxWidth int }

// pciAddress is an address as Linux and CUDA write it: NVML's domain has eight digits.
func pciAddress(s string) string {
	s = strings.ToLower(s)
	if domain, rest, ok := strings.Cut(s, ":"); ok && len(domain) == 8 && strings.HasPrefix(domain, "0000") {
		return domain[4:] + ":" + rest
	}
	return s
}
