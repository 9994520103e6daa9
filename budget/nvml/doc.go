//go:build cuda && linux

// Package nvml is a small typed door to NVIDIA's management library, through go-nvml: driver
// version, a device's memory, driver model and processes. The library is opened at run time; its
// absence is an ordinary error.
//
// A device is found by UUID or PCI address, never by number: NVML counts devices in another order
// than CUDA, and does not know CUDA_VISIBLE_DEVICES. Figures are the ones of nvidia-smi.
//
// Answers that the driver does not give (memory of single processes under WDDM, calls that a card
// does not support) are absent, not errors.
package nvml
