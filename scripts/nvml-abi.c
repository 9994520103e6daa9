/* What budget/nvml and the test double believe of nvml.h, held against the real one when this is compiled.
 * The same numbers are held against Go's structs by TestLayouts in budget/nvml. */
#include <nvml.h>
#include <stddef.h>
#include <stdio.h>

#define SAME(a, b) _Static_assert((a) == (b), #a " is not " #b); facts++
#define AT(type, field, offset, size) SAME(offsetof(type, field), offset); SAME(sizeof(((type *)0)->field), size)

/* A wrong prototype does not compile. */
static nvmlReturn_t (*const list[])(nvmlDevice_t, unsigned int *, nvmlProcessInfo_t *) = {
	nvmlDeviceGetComputeRunningProcesses_v3, nvmlDeviceGetGraphicsRunningProcesses_v3};
static nvmlReturn_t (*const v2)(nvmlDevice_t, nvmlMemory_v2_t *) = nvmlDeviceGetMemoryInfo_v2;
static nvmlReturn_t (*const v1)(nvmlDevice_t, nvmlMemory_t *) = nvmlDeviceGetMemoryInfo;
static nvmlReturn_t (*const pci)(nvmlDevice_t, nvmlPciInfo_t *) = nvmlDeviceGetPciInfo_v3;
static nvmlReturn_t (*const model)(nvmlDevice_t, nvmlDriverModel_t *, nvmlDriverModel_t *) = nvmlDeviceGetDriverModel_v2;
static nvmlReturn_t (*const numbers[])(nvmlDevice_t, unsigned int *) = {
	nvmlDeviceGetCurrPcieLinkGeneration, nvmlDeviceGetMaxPcieLinkGeneration, nvmlDeviceGetCurrPcieLinkWidth, nvmlDeviceGetMaxPcieLinkWidth};
static nvmlReturn_t (*const name)(nvmlDevice_t, char *, unsigned int) = nvmlDeviceGetName;
static nvmlReturn_t (*const by_uuid)(const char *, nvmlDevice_t *) = nvmlDeviceGetHandleByUUID;
static nvmlReturn_t (*const by_pci)(const char *, nvmlDevice_t *) = nvmlDeviceGetHandleByPciBusId_v2;
static nvmlReturn_t (*const by_index)(unsigned int, nvmlDevice_t *) = nvmlDeviceGetHandleByIndex_v2;
static nvmlReturn_t (*const count)(unsigned int *) = nvmlDeviceGetCount_v2;
static nvmlReturn_t (*const version)(char *, unsigned int) = nvmlSystemGetDriverVersion;
static nvmlReturn_t (*const cuda)(int *) = nvmlSystemGetCudaDriverVersion_v2;

int main(void) {
	int facts = 15; /* the prototypes */
	SAME(sizeof(nvmlMemory_t), 24);
	AT(nvmlMemory_t, total, 0, 8); AT(nvmlMemory_t, free, 8, 8); AT(nvmlMemory_t, used, 16, 8);
	SAME(sizeof(nvmlMemory_v2_t), 40);
	AT(nvmlMemory_v2_t, version, 0, 4); AT(nvmlMemory_v2_t, total, 8, 8); AT(nvmlMemory_v2_t, reserved, 16, 8);
	AT(nvmlMemory_v2_t, free, 24, 8); AT(nvmlMemory_v2_t, used, 32, 8);
	SAME(nvmlMemory_v2, (40 | 2u << 24));
	SAME(sizeof(nvmlProcessInfo_t), 24);
	AT(nvmlProcessInfo_t, pid, 0, 4); AT(nvmlProcessInfo_t, usedGpuMemory, 8, 8);
	AT(nvmlProcessInfo_t, gpuInstanceId, 16, 4); AT(nvmlProcessInfo_t, computeInstanceId, 20, 4);
	SAME(sizeof(nvmlPciInfo_t), 68);
	AT(nvmlPciInfo_t, busId, 36, 32);
	SAME(NVML_DRIVER_WDDM, 0); SAME(NVML_DRIVER_MCDM, 2); SAME(sizeof(nvmlDriverModel_t), 4);
	SAME(NVML_SUCCESS, 0); SAME(NVML_ERROR_INVALID_ARGUMENT, 2); SAME(NVML_ERROR_NOT_SUPPORTED, 3);
	SAME(NVML_ERROR_NO_PERMISSION, 4); SAME(NVML_ERROR_NOT_FOUND, 6); SAME(NVML_ERROR_INSUFFICIENT_SIZE, 7);
	SAME(NVML_ERROR_FUNCTION_NOT_FOUND, 13); SAME(NVML_ERROR_NO_DATA, 21);
	printf("nvml.h: %d facts agree\n", facts);
	return 0;
}
