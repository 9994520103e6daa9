//go:build cuda && linux

#include "driver.h"

#include <stdlib.h>
#include <time.h>

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* rounds submits the lists in turns, n in all; a list waits for its own work of the round before. */
static CUresult rounds(uintptr_t context, const uintptr_t *streams, CUevent *done, uint32_t slots,
	const pinring_command *lists, uint32_t each, const uint64_t *args, uint64_t n) {
	for (uint64_t i = 0; i < n; i++) {
		uint32_t s = (uint32_t)(i % slots);
		CUresult r = cuEventSynchronize(done[s]);
		if (r) return r;
		pinring_submitted sent = pinring_submit(context, streams[s], lists + (size_t)s * each, each, args);
		if (sent.code) return (CUresult)sent.code;
		if ((r = cuEventRecord(done[s], (CUstream)streams[s]))) return r;
	}
	for (uint32_t s = 0; s < slots; s++) {
		CUresult r = cuEventSynchronize(done[s]);
		if (r) return r;
	}
	return CUDA_SUCCESS;
}

/* pinring_loop warms up, then measures. Its events spin: the least delay that there is. */
pinring_looped pinring_loop(uintptr_t context, const uintptr_t *streams, uint32_t slots, const pinring_command *lists, uint32_t each, const uint64_t *args, uint64_t n) {
	pinring_looped out = {cuCtxSetCurrent((CUcontext)context), 0};
	CUevent *done = calloc(slots, sizeof *done);
	if (!out.code && !done) out.code = CUDA_ERROR_OUT_OF_MEMORY;
	uint32_t made = 0;
	for (; !out.code && made < slots; made++) out.code = cuEventCreate(&done[made], CU_EVENT_DISABLE_TIMING);
	if (!out.code) out.code = rounds(context, streams, done, slots, lists, each, args, 8 * (uint64_t)slots);
	double began = now();
	if (!out.code) out.code = rounds(context, streams, done, slots, lists, each, args, n);
	out.seconds = now() - began;
	for (uint32_t s = 0; s < made; s++)
		if (done[s]) cuEventDestroy(done[s]);
	free(done);
	return out;
}
