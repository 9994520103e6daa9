//go:build windows || linux

// Package nvml is a small typed door to NVIDIA's management library: driver version, a device's memory,
// driver model and processes. The library is opened at run time; its absence is an ordinary error. With
// the tag cuda it goes through go-nvml, otherwise (on Windows always) through a binding of the few
// calls that it takes, in pure Go: nvml.dll from System32, or libnvidia-ml.so.1.
//
// A device is found by UUID or PCI address, never by number: NVML counts devices in another order
// than CUDA, and does not know CUDA_VISIBLE_DEVICES. Figures are the ones of nvidia-smi.
//
// Answers that the driver does not give (memory of single processes under WDDM, calls that a card
// does not support) are absent, not errors.
package nvml
