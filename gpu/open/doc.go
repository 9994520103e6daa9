// Package open chooses a device and says why. It is the only package that knows all of them. What
// a build does not contain (gpu/cuda without the tag cuda, gpu/cpu without cgo) is reported like
// a device that is not there. On Windows, and where there is no cgo, CUDA is gpu/nvcuda.
package open
