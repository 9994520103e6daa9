/* host.h declares the host kernels for cgo. Variants beyond base are null where the processor or the
 * compiler lacks them. */
#ifndef PINRING_HOST_H
#define PINRING_HOST_H

enum {
	KERNEL_PLANES, KERNEL_TO_RGB, KERNEL_FROM_RGB,
	KERNEL_WIDE_PLANES, KERNEL_WIDE_TO_RGB, KERNEL_WIDE_FROM_RGB,
	KERNEL_TURN, KERNEL_UNSHARP, KERNEL_RESIZE, NUM_KERNELS
};
enum { LEVEL_SCALAR, LEVEL_BASE, LEVEL_V3, LEVEL_V4, NUM_LEVELS };

/* pinring_host_kernel returns a kernel built for a level, null where that cannot run here. */
void *pinring_host_kernel(int level, int kernel);

#endif
