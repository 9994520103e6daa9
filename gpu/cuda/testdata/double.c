/* A stand-in for libcuda.so.1 for tests on machines without a GPU: "device" memory is host memory,
 * streams are worked off at once, and the kernels are the host forms of gputest's. It checks what
 * it is given (contexts, handles, sizes) more strictly than the driver does, can run out of memory,
 * and loses its context when kernel "wild" runs. Device 0 is the only one. Timing is real time. */
#include "cuda.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* The functions below have the library's names, not the forwarders'. */
#include "double_names.h"

#include "host.c"

enum { TOTAL = 1 << 30, MAX_BLOCKS = 4096 };

struct CUctx_st { int magic; };
struct CUstream_st { int magic; };
struct CUevent_st { int magic, timing, recorded; struct timespec at; };
struct CUmod_st { int magic; };
struct CUfunc_st { const char *name; void (*run)(const uint64_t *, int, int); };

static struct CUctx_st primary = {1};
static __thread CUcontext current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int initialized, retained, poisoned;
static unsigned int flags;

enum kind { FREE, DEVICE, HOST, REGISTERED, MANAGED };
static struct block { char *at; size_t bytes; enum kind kind; int mapped; } blocks[MAX_BLOCKS];
static size_t used;

#define API __attribute__((visibility("default")))
#define CHECK(condition, code) do { if (!(condition)) return code; } while (0)
#define CONTEXT() do { \
	CHECK(initialized, CUDA_ERROR_NOT_INITIALIZED); \
	CHECK(current == &primary && retained, CUDA_ERROR_INVALID_CONTEXT); \
	CHECK(!poisoned, CUDA_ERROR_ILLEGAL_ADDRESS); \
} while (0)

static struct block *find(const void *p) {
	for (int i = 0; i < MAX_BLOCKS; i++)
		if (blocks[i].kind && (char *)p >= blocks[i].at && (char *)p < blocks[i].at + blocks[i].bytes) return &blocks[i];
	return NULL;
}

static CUresult add(void **at, size_t bytes, enum kind kind, int mapped) {
	CHECK(bytes > 0, CUDA_ERROR_INVALID_VALUE);
	pthread_mutex_lock(&lock);
	CUresult r = CUDA_ERROR_OUT_OF_MEMORY;
	for (int i = 0; i < MAX_BLOCKS && bytes <= TOTAL - used; i++) {
		if (blocks[i].kind) continue;
		if (kind != REGISTERED) {
			/* Small pinned pieces are not page aligned, so that the caller has to see to it. */
			size_t shift = kind == HOST && bytes <= 8192 ? 512 : 0;
			char *p = aligned_alloc(4096, (bytes + shift + 4095) & ~(size_t)4095);
			memset(p, 0xDB, bytes + shift);
			*at = p + shift;
		}
		blocks[i] = (struct block){*at, bytes, kind, mapped};
		used += kind == DEVICE || kind == MANAGED ? bytes : 0;
		r = CUDA_SUCCESS;
		break;
	}
	pthread_mutex_unlock(&lock);
	return r;
}

static CUresult drop(void *p, enum kind kind, enum kind other) {
	pthread_mutex_lock(&lock);
	struct block *b = find(p);
	CUresult r = CUDA_ERROR_INVALID_VALUE;
	if (b && b->at == p && (b->kind == kind || b->kind == other)) {
		if (b->kind != REGISTERED) free((void *)((uintptr_t)p & ~(uintptr_t)4095));
		used -= b->kind == DEVICE || b->kind == MANAGED ? b->bytes : 0;
		b->kind = FREE;
		r = CUDA_SUCCESS;
	}
	pthread_mutex_unlock(&lock);
	return r;
}

/* on says whether [p, p+bytes) lies in one block that the device's commands may use as device
 * memory (device 1) or from the host (device 0, where plain memory will do, too). */
static int on(const void *p, size_t bytes, int device) {
	pthread_mutex_lock(&lock);
	struct block *b = find(p);
	int good = b ? (char *)p + bytes <= b->at + b->bytes && (device ? b->kind == DEVICE || b->kind == MANAGED : b->kind != DEVICE) : !device;
	pthread_mutex_unlock(&lock);
	return good;
}

API CUresult cuInit(unsigned int f) { CHECK(f == 0, CUDA_ERROR_INVALID_VALUE); initialized = 1; return CUDA_SUCCESS; }
API CUresult cuDriverGetVersion(int *v) { *v = 13000; return CUDA_SUCCESS; }
API CUresult cuDeviceGetCount(int *n) { CHECK(initialized, CUDA_ERROR_NOT_INITIALIZED); *n = 1; return CUDA_SUCCESS; }
API CUresult cuDeviceGet(CUdevice *d, int i) { CHECK(i == 0, CUDA_ERROR_INVALID_DEVICE); *d = 0; return CUDA_SUCCESS; }
API CUresult cuDeviceGetName(char *s, int n, CUdevice d) { (void)d; snprintf(s, n, "test double"); return CUDA_SUCCESS; }
API CUresult cuDeviceGetUuid(CUuuid *u, CUdevice d) { (void)d; memset(u, 0x5a, sizeof *u); return CUDA_SUCCESS; }
API CUresult cuDeviceGetPCIBusId(char *s, int n, CUdevice d) { (void)d; snprintf(s, n, "0000:3B:00.0"); return CUDA_SUCCESS; }
API CUresult cuDeviceGetAttribute(int *v, CUdevice_attribute a, CUdevice d) {
	(void)d;
	switch (a) {
	case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *v = 9; break;
	case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *v = 1; break;
	case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y: *v = 65535; break;
	case CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY:
	case CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS: *v = 1; break;
	default: *v = 0;
	}
	return CUDA_SUCCESS;
}

API CUresult cuDevicePrimaryCtxGetState(CUdevice d, unsigned int *f, int *active) { (void)d; *f = flags; *active = retained > 0; return CUDA_SUCCESS; }
API CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice d, unsigned int f) { (void)d; CHECK(!retained, CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE); flags = f; return CUDA_SUCCESS; }
API CUresult cuDevicePrimaryCtxRetain(CUcontext *c, CUdevice d) { (void)d; CHECK(initialized, CUDA_ERROR_NOT_INITIALIZED); retained++; *c = &primary; return CUDA_SUCCESS; }
API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice d) { (void)d; CHECK(retained, CUDA_ERROR_INVALID_CONTEXT); retained--; return CUDA_SUCCESS; }
API CUresult cuCtxSetCurrent(CUcontext c) { CHECK(!c || c == &primary, CUDA_ERROR_INVALID_CONTEXT); current = c; return CUDA_SUCCESS; }
API CUresult cuCtxGetDevice(CUdevice *d) { CONTEXT(); *d = 0; return CUDA_SUCCESS; }

API CUresult cuMemGetInfo_v2(size_t *f, size_t *t) { CONTEXT(); *t = TOTAL; *f = TOTAL - used; return CUDA_SUCCESS; }
API CUresult cuMemAlloc_v2(CUdeviceptr *d, size_t n) { CONTEXT(); return add((void **)d, n, DEVICE, 0); }
API CUresult cuMemFree_v2(CUdeviceptr d) { CONTEXT(); return drop((void *)d, DEVICE, MANAGED); }
API CUresult cuMemAllocManaged(CUdeviceptr *d, size_t n, unsigned int f) { CONTEXT(); CHECK(f == CU_MEM_ATTACH_GLOBAL, CUDA_ERROR_INVALID_VALUE); return add((void **)d, n, MANAGED, 1); }
API CUresult cuMemHostAlloc(void **p, size_t n, unsigned int f) { CONTEXT(); CHECK(f & CU_MEMHOSTALLOC_PORTABLE, CUDA_ERROR_INVALID_VALUE); return add(p, n, HOST, f & CU_MEMHOSTALLOC_DEVICEMAP); }
API CUresult cuMemFreeHost(void *p) { CONTEXT(); return drop(p, HOST, HOST); }
API CUresult cuMemHostRegister_v2(void *p, size_t n, unsigned int f) {
	CONTEXT();
	CHECK(f == CU_MEMHOSTREGISTER_PORTABLE && (uintptr_t)p % 4096 == 0 && n % 4096 == 0, CUDA_ERROR_INVALID_VALUE);
	return add(&p, n, REGISTERED, 0);
}
API CUresult cuMemHostUnregister(void *p) { CONTEXT(); return drop(p, REGISTERED, REGISTERED); }
API CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *d, void *p, unsigned int f) {
	CONTEXT();
	struct block *b = find(p);
	CHECK(b && b->mapped && f == 0, CUDA_ERROR_INVALID_VALUE);
	*d = (CUdeviceptr)p;
	return CUDA_SUCCESS;
}
API CUresult cuPointerGetAttributes(unsigned int n, CUpointer_attribute *what, void **where, CUdeviceptr p) {
	CONTEXT();
	struct block *b = find((void *)p);
	for (unsigned int i = 0; i < n; i++) {
		if (what[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
			*(unsigned int *)where[i] = !b ? 0 : b->kind == HOST || b->kind == REGISTERED ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
		else if (what[i] == CU_POINTER_ATTRIBUTE_IS_MANAGED)
			*(int *)where[i] = b && b->kind == MANAGED;
		else
			return CUDA_ERROR_INVALID_VALUE;
	}
	return CUDA_SUCCESS;
}

/* STREAM: the default stream, or one that is alive. */
#define STREAM(s) do { CONTEXT(); CHECK(!(s) || (s)->magic == 2, CUDA_ERROR_INVALID_HANDLE); } while (0)

API CUresult cuStreamCreate(CUstream *s, unsigned int f) { CONTEXT(); CHECK(f == CU_STREAM_NON_BLOCKING, CUDA_ERROR_INVALID_VALUE); *s = malloc(sizeof **s); (*s)->magic = 2; return CUDA_SUCCESS; }
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
#define EVENT(e) do { CONTEXT(); CHECK((e) && (e)->magic == 3, CUDA_ERROR_INVALID_HANDLE); } while (0)
API CUresult cuEventDestroy_v2(CUevent e) { EVENT(e); e->magic = 0; free(e); return CUDA_SUCCESS; }
API CUresult cuEventRecord(CUevent e, CUstream s) { STREAM(s); EVENT(e); e->recorded = 1; clock_gettime(CLOCK_MONOTONIC, &e->at); return CUDA_SUCCESS; }
API CUresult cuEventQuery(CUevent e) { EVENT(e); return CUDA_SUCCESS; }
API CUresult cuEventSynchronize(CUevent e) { EVENT(e); return CUDA_SUCCESS; }
API CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned int f) { STREAM(s); EVENT(e); CHECK(f == 0, CUDA_ERROR_INVALID_VALUE); return CUDA_SUCCESS; }
API CUresult cuEventElapsedTime(float *ms, CUevent a, CUevent b) {
	EVENT(a);
	EVENT(b);
	CHECK(a->timing && b->timing && a->recorded && b->recorded, CUDA_ERROR_INVALID_HANDLE);
	*ms = (float)((double)(b->at.tv_sec - a->at.tv_sec) * 1e3 + (double)(b->at.tv_nsec - a->at.tv_nsec) / 1e6);
	return CUDA_SUCCESS;
}

API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr d, const void *h, size_t n, CUstream s) {
	STREAM(s);
	CHECK(on((void *)d, n, 1) && on(h, n, 0), CUDA_ERROR_INVALID_VALUE);
	memcpy((void *)d, h, n);
	return CUDA_SUCCESS;
}
API CUresult cuMemcpyDtoHAsync_v2(void *h, CUdeviceptr d, size_t n, CUstream s) {
	STREAM(s);
	CHECK(on((void *)d, n, 1) && on(h, n, 0), CUDA_ERROR_INVALID_VALUE);
	memcpy(h, (void *)d, n);
	return CUDA_SUCCESS;
}
API CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s) {
	STREAM(s);
	CHECK(on((void *)to, n, 1) && on((void *)from, n, 1), CUDA_ERROR_INVALID_VALUE);
	memmove((void *)to, (void *)from, n);
	return CUDA_SUCCESS;
}
API CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *c, CUstream s) {
	STREAM(s);
	CHECK(!c->srcXInBytes && !c->srcY && !c->dstXInBytes && !c->dstY && !c->srcArray && !c->dstArray, CUDA_ERROR_INVALID_VALUE);
	CHECK(c->srcPitch >= c->WidthInBytes && c->dstPitch >= c->WidthInBytes, CUDA_ERROR_INVALID_VALUE);
	int from_device = c->srcMemoryType == CU_MEMORYTYPE_DEVICE, to_device = c->dstMemoryType == CU_MEMORYTYPE_DEVICE;
	const char *from = from_device ? (const char *)c->srcDevice : c->srcHost;
	char *to = to_device ? (char *)c->dstDevice : c->dstHost;
	for (size_t y = 0; y < c->Height; y++) {
		CHECK(on(from + y * c->srcPitch, c->WidthInBytes, from_device) && on(to + y * c->dstPitch, c->WidthInBytes, to_device), CUDA_ERROR_INVALID_VALUE);
		memcpy(to + y * c->dstPitch, from + y * c->srcPitch, c->WidthInBytes);
	}
	return CUDA_SUCCESS;
}
API CUresult cuMemsetD8Async(CUdeviceptr d, unsigned char v, size_t n, CUstream s) {
	STREAM(s);
	CHECK(on((void *)d, n, 1), CUDA_ERROR_INVALID_VALUE);
	memset((void *)d, v, n);
	return CUDA_SUCCESS;
}

static void wild(const uint64_t *a, int row0, int row1) { (void)a; (void)row0; (void)row1; poisoned = 1; }
static struct CUfunc_st functions[] = {
	{"affine", pinring_test_affine}, {"tally", pinring_test_tally}, {"churn", pinring_test_churn},
	{"cells", pinring_test_cells}, {"wild", wild}};

API CUresult cuModuleLoadDataEx(CUmodule *m, const void *image, unsigned int n, CUjit_option *what, void **value) {
	CONTEXT();
	if (strstr(image, "nonsense")) {
		for (unsigned int i = 0; i < n; i++)
			if (what[i] == CU_JIT_ERROR_LOG_BUFFER) strcpy(value[i], "line 4: cannot read 'nonsense'");
		return CUDA_ERROR_INVALID_PTX;
	}
	*m = malloc(sizeof **m);
	(*m)->magic = 4;
	return CUDA_SUCCESS;
}
API CUresult cuModuleUnload(CUmodule m) { CONTEXT(); CHECK(m->magic == 4, CUDA_ERROR_INVALID_HANDLE); m->magic = 0; free(m); return CUDA_SUCCESS; }
API CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name) {
	CONTEXT();
	CHECK(m->magic == 4, CUDA_ERROR_INVALID_HANDLE);
	for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
		if (!strcmp(name, functions[i].name)) {
			*f = &functions[i];
			return CUDA_SUCCESS;
		}
	return CUDA_ERROR_NOT_FOUND;
}

/* The host kernel runs the rows that the grid covers, if the grid covers the columns. */
API CUresult cuLaunchKernel(CUfunction f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned int by, unsigned int bz,
	unsigned int shared, CUstream s, void **parameters, void **extra) {
	STREAM(s);
	CHECK(f >= functions && f < functions + sizeof functions / sizeof functions[0], CUDA_ERROR_INVALID_HANDLE);
	CHECK(gx && gy && gz == 1 && bx == 32 && by == 8 && bz == 1 && !shared && !extra, CUDA_ERROR_INVALID_VALUE);
	CHECK(gy <= 65535, CUDA_ERROR_INVALID_VALUE);
	uint64_t cells[32];
	memcpy(cells, parameters[0], sizeof cells);
	CHECK(f->run == wild || (cells[4] <= (uint64_t)gx * bx && cells[4] > (uint64_t)(gx - 1) * bx), CUDA_ERROR_INVALID_VALUE);
	uint64_t rows = (uint64_t)gy * by;
	f->run(cells, 0, (int)(cells[5] < rows ? cells[5] : rows));
	return CUDA_SUCCESS;
}

API CUresult cuGetErrorName(CUresult r, const char **s) { *s = r == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OTHER"; return CUDA_SUCCESS; }
API CUresult cuGetErrorString(CUresult r, const char **s) { *s = r == CUDA_ERROR_ILLEGAL_ADDRESS ? "an illegal memory access was encountered" : "another error of the test double"; return CUDA_SUCCESS; }
