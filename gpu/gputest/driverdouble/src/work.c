/* Streams, events, copies, modules and launches. All work is done when the call returns. */
#include "double.h"

struct CUstream_st { int magic; };
struct CUevent_st { int magic, timing, recorded; unsigned long long at; };
struct CUmod_st { int magic; };

/* STREAM: the default stream, or one that is alive. */
#define STREAM(s) do { CONTEXT(); CHECK(!(s) || (s)->magic == 2, CUDA_ERROR_INVALID_HANDLE); } while (0)
#define EVENT(e) do { CONTEXT(); CHECK((e) && (e)->magic == 3, CUDA_ERROR_INVALID_HANDLE); } while (0)
#define AT(address) ((void *)(uintptr_t)(address))

API CUresult cuStreamCreate(CUstream *s, unsigned int f) {
	CONTEXT();
	CHECK(f == CU_STREAM_NON_BLOCKING, CUDA_ERROR_INVALID_VALUE);
	*s = malloc(sizeof **s);
	(*s)->magic = 2;
	return CUDA_SUCCESS;
}
API CUresult cuStreamDestroy_v2(CUstream s) { STREAM(s); CHECK(s, CUDA_ERROR_INVALID_HANDLE); s->magic = 0; free(s); return CUDA_SUCCESS; }
API CUresult cuStreamSynchronize(CUstream s) { STREAM(s); return CUDA_SUCCESS; }

API CUresult cuEventCreate(CUevent *e, unsigned int f) {
	CONTEXT();
	CHECK(f & CU_EVENT_BLOCKING_SYNC, CUDA_ERROR_INVALID_VALUE);
	*e = calloc(1, sizeof **e);
	(*e)->magic = 3;
	(*e)->timing = !(f & CU_EVENT_DISABLE_TIMING);
	return CUDA_SUCCESS;
}
API CUresult cuEventDestroy_v2(CUevent e) { EVENT(e); e->magic = 0; free(e); return CUDA_SUCCESS; }
API CUresult cuEventRecord(CUevent e, CUstream s) { STREAM(s); EVENT(e); e->recorded = 1; e->at = nanoseconds(); return CUDA_SUCCESS; }
API CUresult cuEventQuery(CUevent e) { EVENT(e); return CUDA_SUCCESS; }
API CUresult cuEventSynchronize(CUevent e) { EVENT(e); return CUDA_SUCCESS; }
API CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned int f) { STREAM(s); EVENT(e); CHECK(f == 0, CUDA_ERROR_INVALID_VALUE); return CUDA_SUCCESS; }
API CUresult cuEventElapsedTime(float *ms, CUevent a, CUevent b) {
	EVENT(a);
	EVENT(b);
	CHECK(a->timing && b->timing && a->recorded && b->recorded, CUDA_ERROR_INVALID_HANDLE);
	*ms = (float)(((double)b->at - (double)a->at) / 1e6);
	return CUDA_SUCCESS;
}

API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr d, const void *h, size_t n, CUstream s) {
	STREAM(s);
	CHECK(on(AT(d), n, 1) && on(h, n, 0), CUDA_ERROR_INVALID_VALUE);
	memcpy(AT(d), h, n);
	return CUDA_SUCCESS;
}
API CUresult cuMemcpyDtoHAsync_v2(void *h, CUdeviceptr d, size_t n, CUstream s) {
	STREAM(s);
	CHECK(on(AT(d), n, 1) && on(h, n, 0), CUDA_ERROR_INVALID_VALUE);
	memcpy(h, AT(d), n);
	return CUDA_SUCCESS;
}
API CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s) {
	STREAM(s);
	CHECK(on(AT(to), n, 1) && on(AT(from), n, 1), CUDA_ERROR_INVALID_VALUE);
	memmove(AT(to), AT(from), n);
	return CUDA_SUCCESS;
}
API CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *c, CUstream s) {
	STREAM(s);
	CHECK(!c->srcXInBytes && !c->srcY && !c->dstXInBytes && !c->dstY && !c->srcArray && !c->dstArray, CUDA_ERROR_INVALID_VALUE);
	CHECK(c->srcPitch >= c->WidthInBytes && c->dstPitch >= c->WidthInBytes, CUDA_ERROR_INVALID_VALUE);
	int from_device = c->srcMemoryType == CU_MEMORYTYPE_DEVICE, to_device = c->dstMemoryType == CU_MEMORYTYPE_DEVICE;
	CHECK(from_device || c->srcMemoryType == CU_MEMORYTYPE_HOST, CUDA_ERROR_INVALID_VALUE);
	CHECK(to_device || c->dstMemoryType == CU_MEMORYTYPE_HOST, CUDA_ERROR_INVALID_VALUE);
	const char *from = from_device ? AT(c->srcDevice) : c->srcHost;
	char *to = to_device ? AT(c->dstDevice) : c->dstHost;
	for (size_t y = 0; y < c->Height; y++) {
		CHECK(on(from + y * c->srcPitch, c->WidthInBytes, from_device) && on(to + y * c->dstPitch, c->WidthInBytes, to_device), CUDA_ERROR_INVALID_VALUE);
		memcpy(to + y * c->dstPitch, from + y * c->srcPitch, c->WidthInBytes);
	}
	return CUDA_SUCCESS;
}
API CUresult cuMemsetD8Async(CUdeviceptr d, unsigned char v, size_t n, CUstream s) {
	STREAM(s);
	CHECK(on(AT(d), n, 1), CUDA_ERROR_INVALID_VALUE);
	memset(AT(d), v, n);
	return CUDA_SUCCESS;
}

/* A module is whatever text: what can be run was compiled into this library. */
static CUresult load(CUmodule *m, const char *text, unsigned int n, CUjit_option *what, void **value) {
	if (strstr(text, "nonsense")) {
		for (unsigned int i = 0; i < n; i++)
			if (what[i] == CU_JIT_ERROR_LOG_BUFFER) strcpy(value[i], "line 4: cannot read 'nonsense'");
		return CUDA_ERROR_INVALID_PTX;
	}
	CHECK(strstr(text, ".version"), CUDA_ERROR_INVALID_IMAGE);
	*m = malloc(sizeof **m);
	(*m)->magic = 4;
	return CUDA_SUCCESS;
}
API CUresult cuModuleLoadDataEx(CUmodule *m, const void *image, unsigned int n, CUjit_option *what, void **value) { CONTEXT(); return load(m, image, n, what, value); }
API CUresult cuModuleLoadData(CUmodule *m, const void *image) { CONTEXT(); return load(m, image, 0, NULL, NULL); }
API CUresult cuModuleUnload(CUmodule m) { CONTEXT(); CHECK(m->magic == 4, CUDA_ERROR_INVALID_HANDLE); m->magic = 0; free(m); return CUDA_SUCCESS; }
API CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name) {
	CONTEXT();
	CHECK(m->magic == 4, CUDA_ERROR_INVALID_HANDLE);
	*f = (CUfunction)find_kernel(name);
	return *f ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/* The host kernel runs the rows that the grid covers, if the grid covers the columns. */
API CUresult cuLaunchKernel(CUfunction f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned int by, unsigned int bz,
	unsigned int shared, CUstream s, void **parameters, void **extra) {
	STREAM(s);
	CHECK(is_kernel(f), CUDA_ERROR_INVALID_HANDLE);
	CHECK(gx && gy && gz == 1 && bx == 32 && by == 8 && bz == 1 && !shared && !extra, CUDA_ERROR_INVALID_VALUE);
	CHECK(gy <= 65535, CUDA_ERROR_INVALID_VALUE);
	uint64_t cells[32];
	memcpy(cells, parameters[0], sizeof cells);
	uint64_t rows = (uint64_t)gy * by;
	if (f->cols >= 0) {
		uint64_t cols = cells[f->cols];
		CHECK(cols <= (uint64_t)gx * bx && cols > (uint64_t)(gx - 1) * bx, CUDA_ERROR_INVALID_VALUE);
		rows = cells[f->rows] < rows ? cells[f->rows] : rows;
	}
	f->run(cells, 0, (int)rows);
	return CUDA_SUCCESS;
}
