// Package driverdouble builds a test double of NVIDIA's driver, libcuda.so.1 or nvcuda.dll, and of
// its management library: no GPU is behind them. The sources in src are C; the double's only device
// is called "Test Double (no GPU)". What it shows is that our side of the driver's interface works
// (API plumbing), never what a driver or a card does.
//
// Programs see it when the folder that it was built into is in LD_LIBRARY_PATH, or, under wine, in
// System32. Its memory is charged as the environment variable CUDA_DOUBLE says, see [Settings].
// "Device" memory is host memory, all work is done when a call returns, and kernels (gputest's and
// pinring's own) run in their host forms whatever the PTX says.
package driverdouble
