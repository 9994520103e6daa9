/* What budget/nvml and the test double believe of nvml.h, held against the real one when this is compiled.
 * The same numbers are held against Go's structs by TestLayout in budget/nvml. */
#include <nvml.h>
#include <stddef.h>
#include <stdio.h>

#define SAME(a, b) _Static_assert((a) == (b), #a " is not " #b); facts++
#define CALL(name, ...) SAME(__builtin_types_compatible_p(__typeof__(name), nvmlReturn_t(__VA_ARGS__)), 1)
#define AT(type, field, offset, size) SAME(offsetof(type, field), offset); SAME(sizeof(((type *)0)->field), size)

int main(void) {
	int facts = 0;
	CALL(nvmlDeviceGetComputeRunningProcesses_v3, nvmlDevice_t, unsigned int *, nvmlProcessInfo_t *);
	CALL(nvmlDeviceGetGraphicsRunningProcesses_v3, nvmlDevice_t, unsigned int *, nvmlProcessInfo_t *);
	CALL(nvmlDeviceGetMemoryInfo_v2, nvmlDevice_t, nvmlMemory_v2_t *);
	CALL(nvmlDeviceGetMemoryInfo, nvmlDevice_t, nvmlMemory_t *);
	CALL(nvmlDeviceGetPciInfo_v3, nvmlDevice_t, nvmlPciInfo_t *);
	CALL(nvmlDeviceGetDriverModel_v2, nvmlDevice_t, nvmlDriverModel_t *, nvmlDriverModel_t *);
	CALL(nvmlDeviceGetCurrPcieLinkGeneration, nvmlDevice_t, unsigned int *);
	CALL(nvmlDeviceGetMaxPcieLinkGeneration, nvmlDevice_t, unsigned int *);
	CALL(nvmlDeviceGetCurrPcieLinkWidth, nvmlDevice_t, unsigned int *);
	CALL(nvmlDeviceGetMaxPcieLinkWidth, nvmlDevice_t, unsigned int *);
	CALL(nvmlDeviceGetName, nvmlDevice_t, char *, unsigned int);
	CALL(nvmlDeviceGetHandleByUUID, const char *, nvmlDevice_t *);
	CALL(nvmlDeviceGetHandleByPciBusId_v2, const char *, nvmlDevice_t *);
	CALL(nvmlDeviceGetHandleByIndex_v2, unsigned int, nvmlDevice_t *);
	CALL(nvmlDeviceGetCount_v2, unsigned int *);
	CALL(nvmlSystemGetDriverVersion, char *, unsigned int);
	CALL(nvmlSystemGetCudaDriverVersion_v2, int *);
	CALL(nvmlInit_v2, void);
	CALL(nvmlShutdown, void);
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
