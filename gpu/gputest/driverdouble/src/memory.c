/* Memory of all kinds. Every piece is a block in a table, so that what the program says about an
 * address can be checked. */
#include "double.h"

enum { MAX_BLOCKS = 16384, MOST_FILLED = 64 << 20 };
enum kind { FREE, DEVICE, HOST, REGISTERED, MANAGED };

static struct block { char *at; size_t bytes, charge; enum kind kind; int mapped; } blocks[MAX_BLOCKS];

static struct block *find(const void *p) {
	for (int i = 0; i < MAX_BLOCKS; i++)
		if (blocks[i].kind && (char *)p >= blocks[i].at && (char *)p < blocks[i].at + blocks[i].bytes) return &blocks[i];
	return NULL;
}

static struct block *unused(void) {
	for (int i = 0; i < MAX_BLOCKS; i++)
		if (!blocks[i].kind) return &blocks[i];
	return NULL;
}

/* fresh is new memory, filled with what nobody expects. Small pinned pieces are not page aligned, so
 * that the caller has to see to it. */
static char *fresh(size_t bytes, enum kind kind) {
	size_t shift = kind == HOST && bytes <= 8192 ? 512 : 0;
	if (bytes > (size_t)1 << 40) return NULL;
	char *p = page_alloc((bytes + shift + 4095) & ~(size_t)4095);
	if (!p) return NULL;
	if (bytes <= MOST_FILLED) memset(p, 0xDB, bytes + shift);
	return p + shift;
}

static void stale(void *p) { page_free((void *)((uintptr_t)p & ~(uintptr_t)4095)); }

static CUresult add(void **at, size_t bytes, size_t charge, enum kind kind, int mapped) {
	CHECK(bytes > 0, CUDA_ERROR_INVALID_VALUE);
	lock();
	struct block *b = unused();
	CUresult r = CUDA_ERROR_OUT_OF_MEMORY;
	if (b && take(charge)) {
		if (kind != REGISTERED) *at = fresh(bytes, kind);
		if (*at) {
			*b = (struct block){*at, bytes, charge, kind, mapped};
			r = CUDA_SUCCESS;
		} else {
			give_back(charge, 0);
		}
	}
	unlock();
	return r;
}

static CUresult drop(void *p, enum kind kind, enum kind other) {
	lock();
	struct block *b = find(p);
	CUresult r = CUDA_ERROR_INVALID_VALUE;
	if (b && b->at == p && (b->kind == kind || b->kind == other)) {
		if (b->kind != REGISTERED) stale(p);
		give_back(b->charge, b->kind != DEVICE);
		b->kind = FREE;
		r = CUDA_SUCCESS;
	}
	unlock();
	return r;
}

/* on says whether [p, p+bytes) lies in one block that commands may use as device memory (device 1) or
 * from the host (device 0, where plain memory will do, too). */
int on(const void *p, size_t bytes, int device) {
	lock();
	struct block *b = find(p);
	int good = !device;
	if (b && (char *)p + bytes > b->at + b->bytes) good = 0;
	else if (b) good = device ? b->kind == DEVICE || b->mapped : b->kind != DEVICE;
	unlock();
	return good;
}

API CUresult cuMemGetInfo_v2(size_t *f, size_t *t) {
	CONTEXT();
	lock();
	size_t used = in_use();
	*t = settings.total;
	*f = used < settings.total ? settings.total - used : 0;
	unlock();
	return CUDA_SUCCESS;
}
API CUresult cuMemAlloc_v2(CUdeviceptr *d, size_t n) {
	CONTEXT();
	void *p = NULL;
	CUresult r = add(&p, n, n, DEVICE, 0);
	*d = (CUdeviceptr)(uintptr_t)p;
	return r;
}
API CUresult cuMemFree_v2(CUdeviceptr d) { CONTEXT(); return drop((void *)(uintptr_t)d, DEVICE, MANAGED); }
API CUresult cuMemAllocManaged(CUdeviceptr *d, size_t n, unsigned int f) {
	CONTEXT();
	CHECK(f == CU_MEM_ATTACH_GLOBAL, CUDA_ERROR_INVALID_VALUE);
	void *p = NULL;
	CUresult r = add(&p, n, charge_of(n, "managed"), MANAGED, 1);
	*d = (CUdeviceptr)(uintptr_t)p;
	return r;
}
API CUresult cuMemHostAlloc(void **p, size_t n, unsigned int f) {
	CONTEXT();
	CHECK(f & CU_MEMHOSTALLOC_PORTABLE, CUDA_ERROR_INVALID_VALUE);
	const char *kind = f & CU_MEMHOSTALLOC_DEVICEMAP ? "mapped" : f & CU_MEMHOSTALLOC_WRITECOMBINED ? "write-combined" : "pinned";
	*p = NULL;
	return add(p, n, charge_of(n, kind), HOST, f & CU_MEMHOSTALLOC_DEVICEMAP);
}
API CUresult cuMemFreeHost(void *p) { CONTEXT(); return drop(p, HOST, HOST); }
API CUresult cuMemHostRegister_v2(void *p, size_t n, unsigned int f) {
	CONTEXT();
	CHECK(f == CU_MEMHOSTREGISTER_PORTABLE && (uintptr_t)p % 4096 == 0 && n % 4096 == 0, CUDA_ERROR_INVALID_VALUE);
	return add(&p, n, charge_of(n, "registered"), REGISTERED, 0);
}
API CUresult cuMemHostUnregister(void *p) { CONTEXT(); return drop(p, REGISTERED, REGISTERED); }
API CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *d, void *p, unsigned int f) {
	CONTEXT();
	lock();
	struct block *b = find(p);
	int good = b && b->mapped && f == 0;
	unlock();
	CHECK(good, CUDA_ERROR_INVALID_VALUE);
	*d = (CUdeviceptr)(uintptr_t)p;
	return CUDA_SUCCESS;
}
API CUresult cuPointerGetAttributes(unsigned int n, CUpointer_attribute *what, void **where, CUdeviceptr p) {
	CONTEXT();
	lock();
	struct block *b = find((void *)(uintptr_t)p);
	enum kind kind = b ? b->kind : FREE;
	unlock();
	for (unsigned int i = 0; i < n; i++) {
		if (what[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
			*(unsigned int *)where[i] = !kind ? 0 : kind == HOST || kind == REGISTERED ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
		else if (what[i] == CU_POINTER_ATTRIBUTE_IS_MANAGED)
			*(int *)where[i] = kind == MANAGED;
		else
			return CUDA_ERROR_INVALID_VALUE;
	}
	return CUDA_SUCCESS;
}
