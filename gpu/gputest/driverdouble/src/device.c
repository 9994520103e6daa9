/* The driver, device 0, and its primary context. */
#include "double.h"

static const char name[] = "Test Double (no GPU)";

struct CUctx_st { int magic; };
static struct CUctx_st primary = {1};
static _Thread_local CUcontext current;
static int initialized, retained, poisoned;
static unsigned int flags;

static struct { char name[64]; unsigned long calls; } counters[64];

/* injected says with which result the settings make this call of the function fail, 0 for none. A name
 * in the settings stands for its versions, too: cuMemAlloc for cuMemAlloc_v2. */
static CUresult injected(const char *function) {
	for (char *s = settings.fail; s && *s; s = strchr(s, '+')) {
		if (*s == '+') s++;
		char want[64];
		unsigned long nth;
		int code = CUDA_ERROR_OUT_OF_MEMORY;
		if (sscanf(s, "%63[^:]:%lu:%d", want, &nth, &code) < 2) abort();
		size_t n = strlen(want);
		if (strncmp(function, want, n) || (function[n] && function[n] != '_')) continue;
		for (int i = 0; i < 64; i++) {
			if (!counters[i].name[0]) strcpy(counters[i].name, want);
			if (strcmp(counters[i].name, want)) continue;
			if (++counters[i].calls == nth) return (CUresult)code;
			break;
		}
	}
	return CUDA_SUCCESS;
}

CUresult enter(const char *function) {
	CHECK(initialized, CUDA_ERROR_NOT_INITIALIZED);
	if (!settings.fail[0]) return CUDA_SUCCESS;
	lock();
	CUresult r = injected(function);
	unlock();
	return r;
}

CUresult enter_context(const char *function) {
	TRY(enter(function));
	CHECK(current == &primary && retained, CUDA_ERROR_INVALID_CONTEXT);
	CHECK(!poisoned, CUDA_ERROR_ILLEGAL_ADDRESS);
	return CUDA_SUCCESS;
}

void lose_context(void) { poisoned = 1; }

/* cuInit reads the settings anew while there is no context. */
API CUresult cuInit(unsigned int f) {
	CHECK(f == 0, CUDA_ERROR_INVALID_VALUE);
	lock();
	if (!retained) {
		read_settings();
		memset(counters, 0, sizeof counters);
	}
	initialized = 1;
	unlock();
	return settings.devices ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

API CUresult cuDriverGetVersion(int *v) { *v = 13000; return CUDA_SUCCESS; }
API CUresult cuDeviceGetCount(int *n) { ENTER(); *n = settings.devices; return CUDA_SUCCESS; }
API CUresult cuDeviceGet(CUdevice *d, int i) { ENTER(); CHECK(i == 0, CUDA_ERROR_INVALID_DEVICE); *d = 0; return CUDA_SUCCESS; }
API CUresult cuDeviceGetName(char *s, int n, CUdevice d) { ENTER(); CHECK(d == 0, CUDA_ERROR_INVALID_DEVICE); snprintf(s, n, "%s", name); return CUDA_SUCCESS; }
API CUresult cuDeviceGetUuid(CUuuid *u, CUdevice d) { ENTER(); CHECK(d == 0, CUDA_ERROR_INVALID_DEVICE); memset(u, 0x5a, sizeof *u); return CUDA_SUCCESS; }
API CUresult cuDeviceGetPCIBusId(char *s, int n, CUdevice d) { ENTER(); CHECK(d == 0, CUDA_ERROR_INVALID_DEVICE); snprintf(s, n, "0000:3B:00.0"); return CUDA_SUCCESS; }
API CUresult cuDeviceTotalMem_v2(size_t *n, CUdevice d) { ENTER(); CHECK(d == 0, CUDA_ERROR_INVALID_DEVICE); *n = settings.total; return CUDA_SUCCESS; }
API CUresult cuDeviceGetLuid(char *luid, unsigned int *mask, CUdevice d) {
	ENTER();
	CHECK(d == 0, CUDA_ERROR_INVALID_DEVICE);
	CHECK(settings.has_luid, CUDA_ERROR_NOT_SUPPORTED);
	memcpy(luid, settings.luid, 8);
	*mask = 1;
	return CUDA_SUCCESS;
}
API CUresult cuDeviceGetAttribute(int *v, CUdevice_attribute a, CUdevice d) {
	ENTER();
	CHECK(d == 0, CUDA_ERROR_INVALID_DEVICE);
	switch (a) {
	case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *v = 9; break;
	case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *v = 1; break;
	case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y: *v = 65535; break;
	case CU_DEVICE_ATTRIBUTE_TCC_DRIVER: *v = settings.tcc; break;
	case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY:
	case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
	case CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY:
	case CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS: *v = 1; break;
	default: *v = 0;
	}
	return CUDA_SUCCESS;
}

API CUresult cuDevicePrimaryCtxGetState(CUdevice d, unsigned int *f, int *active) { (void)d; ENTER(); *f = flags; *active = retained > 0; return CUDA_SUCCESS; }
API CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice d, unsigned int f) { (void)d; ENTER(); CHECK(!retained, CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE); flags = f; return CUDA_SUCCESS; }
API CUresult cuDevicePrimaryCtxRetain(CUcontext *c, CUdevice d) {
	ENTER();
	CHECK(d == 0, CUDA_ERROR_INVALID_DEVICE);
	pause_for(settings.arrive);
	lock();
	CUresult r = retained || take(settings.context) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
	retained += !r;
	unlock();
	*c = &primary;
	return r;
}
API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice d) {
	ENTER();
	CHECK(d == 0 && retained, CUDA_ERROR_INVALID_CONTEXT);
	lock();
	if (!--retained) give_back(settings.context, 0);
	unlock();
	return CUDA_SUCCESS;
}
API CUresult cuCtxSetCurrent(CUcontext c) { ENTER(); CHECK(!c || c == &primary, CUDA_ERROR_INVALID_CONTEXT); current = c; return CUDA_SUCCESS; }
API CUresult cuCtxGetCurrent(CUcontext *c) { ENTER(); *c = current; return CUDA_SUCCESS; }
API CUresult cuCtxGetDevice(CUdevice *d) { CONTEXT(); *d = 0; return CUDA_SUCCESS; }
API CUresult cuCtxSynchronize(void) { CONTEXT(); return CUDA_SUCCESS; }

static const struct { CUresult code; const char *name, *text; } words[] = {
	{CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
	{CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
	{CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
	{CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no device (test double)"},
	{CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
};

/* say gives a result's name and text; those it does not know are "another" one. */
static CUresult say(CUresult r, const char **out, int text) {
	*out = text ? "another error of the test double" : "CUDA_ERROR_OTHER";
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (words[i].code == r) *out = text ? words[i].text : words[i].name;
	return CUDA_SUCCESS;
}
API CUresult cuGetErrorName(CUresult r, const char **s) { return say(r, s, 0); }
API CUresult cuGetErrorString(CUresult r, const char **s) { return say(r, s, 1); }
