// Package dxgi holds Windows' meters of video memory: [Meter] asks DXGI what the operating system
// lets this process have of an adapter, and [Counters] asks the performance counters what all
// processes together have in use. Both are pure Go: COM is called through the vtables of dxgi.h and
// dxgi1_4.h, PDH through pdh.dll, both loaded from System32 only. A missing library, an adapter
// without IDXGIAdapter3, or no adapter at all is an ordinary error that names the call.
//
// Meter and Counters exist on 64-bit Windows only; elsewhere the package holds what needs no
// Windows: identities and the parsing of instance names. The Windows part was run under wine, whose
// DXGI has a LOCAL budget and neither NON_LOCAL nor the counters; not yet on Windows.
//
// # Two questions
//
// DXGI's budget is this process's share. It shrinks when another program wants memory, and
// exceeding it makes Windows move our memory out of the card rather than fail. The counters know
// usage, and no budget: their budget is the total that the caller gives.
//
// # Which adapter
//
// An adapter is found by its LUID, which cuDeviceGetLuid gives for a CUDA device. Neither DXGI nor
// the counters know PCI addresses or CUDA's numbers. A LUID is valid until the next boot.
package dxgi
