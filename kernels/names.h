/* names.h lists the kernels, in the order of kernelNames in module.go. */
#ifndef PINRING_NAMES_H
#define PINRING_NAMES_H

#define KERNELS(X, level) \
	X(planes, level) X(to_rgb, level) X(from_rgb, level) \
	X(wide_planes, level) X(wide_to_rgb, level) X(wide_from_rgb, level) X(turn, level) X(unsharp, level) \
	X(resize, level)

#endif
