/* A test double of NVIDIA's management library, libnvidia-ml.so.1 or nvml.dll: one device, the one of
 * the driver's double. While that is in this process its books are told; otherwise an idle card is. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#define API
#define MODEL_KNOWN 1
static void *books(void) {
	HMODULE driver = GetModuleHandleA("nvcuda.dll");
	return driver ? (void *)GetProcAddress(driver, "cuda_double_books") : NULL;
}
#else
#include <dlfcn.h>
#define API __attribute__((visibility("default")))
#define MODEL_KNOWN 0
static void *books(void) {
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
	return driver ? dlsym(driver, "cuda_double_books") : NULL;
}
#endif

enum { OK, UNINITIALIZED, INVALID_ARGUMENT, NOT_SUPPORTED, NOT_FOUND = 6 };

struct memory { unsigned long long total, free, used; };
struct memory_v2 { unsigned int version; unsigned long long total, reserved, free, used; };
struct process { unsigned int pid; unsigned long long used; unsigned int gpu_instance, compute_instance; };

static int initialized, device;

#define CHECK(condition, code) do { if (!(condition)) return code; } while (0)

API int nvmlInit_v2(void) { initialized++; return OK; }
API int nvmlInitWithFlags(unsigned int flags) { (void)flags; initialized++; return OK; }
API int nvmlShutdown(void) { CHECK(initialized, UNINITIALIZED); initialized--; return OK; }
API const char *nvmlErrorString(int code) { return code == NOT_SUPPORTED ? "Not Supported" : code ? "another error of the test double" : "The operation was successful"; }
API int nvmlSystemGetDriverVersion(char *s, unsigned int n) { CHECK(initialized, UNINITIALIZED); snprintf(s, n, "580.00"); return OK; }
API int nvmlSystemGetCudaDriverVersion_v2(int *v) { CHECK(initialized, UNINITIALIZED); *v = 13000; return OK; }

API int nvmlDeviceGetHandleByUUID(const char *uuid, void **d) {
	CHECK(initialized, UNINITIALIZED);
	CHECK(!strcmp(uuid, "GPU-5a5a5a5a-5a5a-5a5a-5a5a-5a5a5a5a5a5a"), NOT_FOUND);
	*d = &device;
	return OK;
}
API int nvmlDeviceGetHandleByPciBusId_v2(const char *id, void **d) {
	CHECK(initialized, UNINITIALIZED);
	CHECK(!strcmp(id, "0000:3b:00.0") || !strcmp(id, "0000:3B:00.0"), NOT_FOUND);
	*d = &device;
	return OK;
}
API int nvmlDeviceGetCount_v2(unsigned int *n) { CHECK(initialized, UNINITIALIZED); *n = 1; return OK; }
API int nvmlDeviceGetHandleByIndex_v2(unsigned int i, void **d) { CHECK(initialized, UNINITIALIZED); CHECK(i == 0, INVALID_ARGUMENT); *d = &device; return OK; }
API int nvmlDeviceGetName(void *d, char *s, unsigned int n) { CHECK(d == &device, INVALID_ARGUMENT); snprintf(s, n, "Test Double (no GPU)"); return OK; }

static void ask(size_t *total, size_t *used) {
	*total = (size_t)1 << 30;
	*used = 0;
	void (*f)(size_t *, size_t *) = (void (*)(size_t *, size_t *))books();
	if (f) f(total, used);
}
API int nvmlDeviceGetMemoryInfo(void *d, struct memory *m) {
	size_t total, used;
	CHECK(initialized, UNINITIALIZED);
	CHECK(d == &device, INVALID_ARGUMENT);
	ask(&total, &used);
	*m = (struct memory){total, total - used, used};
	return OK;
}
API int nvmlDeviceGetMemoryInfo_v2(void *d, struct memory_v2 *m) {
	size_t total, used;
	CHECK(initialized, UNINITIALIZED);
	CHECK(d == &device && m->version == (sizeof *m | 2u << 24), INVALID_ARGUMENT);
	ask(&total, &used);
	*m = (struct memory_v2){m->version, total, 0, total - used, used};
	return OK;
}
API int nvmlDeviceGetDriverModel(void *d, int *current, int *pending) {
	CHECK(d == &device, INVALID_ARGUMENT);
	CHECK(MODEL_KNOWN, NOT_SUPPORTED);
	const char *settings = getenv("CUDA_DOUBLE");
	*current = *pending = settings && strstr(settings, "tcc=1") != NULL;
	return OK;
}
API int nvmlDeviceGetDriverModel_v2(void *d, int *current, int *pending) { return nvmlDeviceGetDriverModel(d, current, pending); }

/* Under WDDM the driver does not tell what a process uses: all ones. */
static int processes(void *d, unsigned int *n, struct process *list) {
	CHECK(d == &device, INVALID_ARGUMENT);
	if (*n < 1) {
		*n = 1;
		return 7; /* insufficient size */
	}
	*n = 1;
	list[0] = (struct process){4242, MODEL_KNOWN ? UINT64_MAX : 123456, UINT32_MAX, UINT32_MAX};
	return OK;
}
API int nvmlDeviceGetComputeRunningProcesses_v3(void *d, unsigned int *n, struct process *list) { return processes(d, n, list); }
API int nvmlDeviceGetGraphicsRunningProcesses_v3(void *d, unsigned int *n, struct process *list) { return processes(d, n, list); }

/* nvmlPciInfo_t of nvml.h. */
struct pci_info { char legacy[16]; unsigned int domain, bus, device, id, subsystem; char bus_id[32]; };
API int nvmlDeviceGetPciInfo_v3(void *d, struct pci_info *p) {
	CHECK(d == &device, INVALID_ARGUMENT);
	memset(p, 0, sizeof *p);
	p->bus = 0x3b;
	snprintf(p->bus_id, sizeof p->bus_id, "00000000:3B:00.0");
	return OK;
}
#define LINK(name, value) API int name(void *d, unsigned int *n) { CHECK(d == &device, INVALID_ARGUMENT); *n = value; return OK; }
LINK(nvmlDeviceGetCurrPcieLinkGeneration, 1)
LINK(nvmlDeviceGetMaxPcieLinkGeneration, 5)
LINK(nvmlDeviceGetCurrPcieLinkWidth, 8)
LINK(nvmlDeviceGetMaxPcieLinkWidth, 16)
