//go:build cuda && linux

#include "driver.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* CURRENT makes the context that of this thread. */
#define CURRENT(context) cuCtxSetCurrent((CUcontext)(context))

int pinring_driver_loads(void) {
#ifdef PINRING_LAZY_CUDA
	return pinring_libcuda() != NULL;
#else
	return 1;
#endif
}

int pinring_driver_init(char *why, size_t size) {
	why[0] = 0;
#ifdef PINRING_LAZY_CUDA
	if (!pinring_libcuda()) {
		/* Asked again for its words: they belong to the thread that failed. */
		void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
		const char *text = library ? "libcuda.so.1 was missing before and is there now: start again" : dlerror();
		snprintf(why, size, "%s", text ? text : "libcuda.so.1 cannot be opened");
		return CUDA_ERROR_SHARED_OBJECT_INIT_FAILED;
	}
	return pinring_cuInit(0);
#else
	(void)size;
	return cuInit(0);
#endif
}

void pinring_error_text(int code, const char **name, const char **text) {
	*name = *text = NULL;
	cuGetErrorName((CUresult)code, name);
	cuGetErrorString((CUresult)code, text);
}

int pinring_pci_bus_id(int device, char *id, int size) { return cuDeviceGetPCIBusId(id, size, device); }

/* copy issues one copy. Rows that lie close are one row; rows with pitches are a 2D copy. */
static CUresult copy(const pinring_command *c, CUstream stream) {
	size_t bytes = c->width * c->rows;
	if (bytes == 0) return CUDA_SUCCESS;
	if (c->rows == 1 || (c->dst_pitch == c->width && c->src_pitch == c->width)) {
		switch (c->op) {
		case PINRING_COPY_H2D: return cuMemcpyHtoDAsync(c->dst, (const void *)c->src, bytes, stream);
		case PINRING_COPY_D2H: return cuMemcpyDtoHAsync((void *)c->dst, c->src, bytes, stream);
		default: return cuMemcpyDtoDAsync(c->dst, c->src, bytes, stream);
		}
	}
	CUDA_MEMCPY2D m;
	memset(&m, 0, sizeof m);
	m.srcMemoryType = c->op == PINRING_COPY_H2D ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
	m.dstMemoryType = c->op == PINRING_COPY_D2H ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
	m.srcHost = (const void *)c->src;
	m.srcDevice = c->src;
	m.srcPitch = c->src_pitch;
	m.dstHost = (void *)c->dst;
	m.dstDevice = c->dst;
	m.dstPitch = c->dst_pitch;
	m.WidthInBytes = c->width;
	m.Height = c->rows;
	return cuMemcpy2DAsync(&m, stream);
}

/* launch passes the cells as the kernel's only parameter, a struct of PINRING_MAX_ARGS cells, which
 * the driver copies before it returns. Cells that were not given are 0. */
static CUresult launch(const pinring_command *c, const uint64_t *args, CUstream stream) {
	uint64_t cells[PINRING_MAX_ARGS];
	memcpy(cells, args + c->first_arg, c->num_args * sizeof cells[0]);
	memset(cells + c->num_args, 0, (PINRING_MAX_ARGS - c->num_args) * sizeof cells[0]);
	void *parameters[] = {cells};
	return cuLaunchKernel((CUfunction)c->handle,
		(unsigned int)((c->width + PINRING_BLOCK_COLS - 1) / PINRING_BLOCK_COLS),
		(unsigned int)((c->rows + PINRING_BLOCK_ROWS - 1) / PINRING_BLOCK_ROWS), 1,
		PINRING_BLOCK_COLS, PINRING_BLOCK_ROWS, 1, 0, stream, parameters, NULL);
}

/* pinring_submit issues the commands, which the caller has validated, up to the first that the
 * driver refuses. */
pinring_submitted pinring_submit(uintptr_t context, uintptr_t stream_handle, const pinring_command *list, uint32_t count, const uint64_t *args) {
	CUstream stream = (CUstream)stream_handle;
	pinring_submitted s = {CURRENT(context), 0};
	for (; s.code == CUDA_SUCCESS && s.index < count; s.index++) {
		const pinring_command *c = &list[s.index];
		switch (c->op) {
		case PINRING_FILL:
			if (c->width) s.code = cuMemsetD8Async(c->dst, (unsigned char)c->value, c->width, stream);
			break;
		case PINRING_LAUNCH: s.code = launch(c, args, stream); break;
		case PINRING_WAIT: s.code = cuStreamWaitEvent(stream, (CUevent)c->handle, 0); break;
		case PINRING_RECORD: s.code = cuEventRecord((CUevent)c->handle, stream); break;
		default: s.code = copy(c, stream);
		}
		if (s.code != CUDA_SUCCESS) break;
	}
	return s;
}

int pinring_stream_synchronize(uintptr_t context, uintptr_t stream) {
	CUresult r = CURRENT(context);
	return r ? r : cuStreamSynchronize((CUstream)stream);
}

int pinring_event_query(uintptr_t context, uintptr_t event) {
	CUresult r = CURRENT(context);
	return r ? r : cuEventQuery((CUevent)event);
}

static int64_t clock_ns(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* pinring_event_synchronize asks again and again for spin_ns, then lets the driver put the thread to
 * sleep. waited_ns is how long it took in all. */
int pinring_event_synchronize(uintptr_t context, uintptr_t event, int64_t spin_ns, int64_t *waited_ns) {
	CUresult r = CURRENT(context);
	if (r) return r;
	int64_t began = clock_ns();
	do r = cuEventQuery((CUevent)event);
	while (r == CUDA_ERROR_NOT_READY && clock_ns() - began < spin_ns);
	if (r == CUDA_ERROR_NOT_READY) r = cuEventSynchronize((CUevent)event);
	*waited_ns = clock_ns() - began;
	return r;
}

pinring_elapsed pinring_event_elapsed(uintptr_t context, uintptr_t from, uintptr_t to) {
	pinring_elapsed e = {CURRENT(context), 0};
	if (!e.code) e.code = cuEventElapsedTime(&e.milliseconds, (CUevent)from, (CUevent)to);
	return e;
}

pinring_memory pinring_host_alloc(uintptr_t context, size_t bytes, unsigned int flags) {
	pinring_memory m = {CURRENT(context), NULL};
	if (!m.code) m.code = cuMemHostAlloc(&m.ptr, bytes, flags);
	return m;
}

int pinring_host_free(uintptr_t context, void *ptr) {
	CUresult r = CURRENT(context);
	return r ? r : cuMemFreeHost(ptr);
}

int pinring_host_register(uintptr_t context, void *ptr, size_t bytes) {
	CUresult r = CURRENT(context);
	return r ? r : cuMemHostRegister(ptr, bytes, CU_MEMHOSTREGISTER_PORTABLE);
}

int pinring_host_unregister(uintptr_t context, void *ptr) {
	CUresult r = CURRENT(context);
	return r ? r : cuMemHostUnregister(ptr);
}

pinring_memory pinring_host_device_pointer(uintptr_t context, void *ptr) {
	pinring_memory m = {CURRENT(context), NULL};
	CUdeviceptr device = 0;
	if (!m.code) m.code = cuMemHostGetDevicePointer(&device, ptr, 0);
	m.ptr = (void *)device;
	return m;
}

pinring_pointer_info pinring_pointer(uintptr_t context, uintptr_t ptr) {
	pinring_pointer_info info = {CURRENT(context), 0, 0};
	CUpointer_attribute what[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED};
	void *where[] = {&info.type, &info.managed};
	if (!info.code) info.code = cuPointerGetAttributes(2, what, where, ptr);
	return info;
}
