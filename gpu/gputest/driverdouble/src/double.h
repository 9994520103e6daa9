/* A test double of NVIDIA's driver: no GPU is behind it. It builds as libcuda.so.1 and as nvcuda.dll
 * from the same files. "Device" memory is host memory, streams are worked off at once, kernels run in
 * their host forms. It checks what it is given (contexts, handles, sizes) more strictly than a driver
 * does, charges memory as its settings say, and loses its context when the kernel "wild" runs. */
#ifndef DRIVER_DOUBLE_H
#define DRIVER_DOUBLE_H

#define PINRING_CUDA_DECLARE 1
#include "cuda.h"

#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#define API /* the linker exports everything when nothing is marked */
#else
#define API __attribute__((visibility("default")))
#endif

/* What the environment variable CUDA_DOUBLE says, see doc.go. */
struct settings {
	size_t total, others, context, budget; /* bytes */
	unsigned int small, large;             /* charge per 1000 bytes pinned: up to 512 MiB, from 1 GiB */
	char kinds[64];                        /* of host memory that are charged, by name, + between */
	unsigned long long arrive;             /* milliseconds that a context takes to make */
	unsigned long long reclaim;            /* nanoseconds from the free until the charge is gone */
	char fail[256];                        /* calls to fail, name:nth:code, + between */
	int has_luid, devices, tcc;
	unsigned char luid[8];
};
extern struct settings settings;
void read_settings(void);

/* system.c: what Linux and Windows have each in their way. */
void lock(void);
void unlock(void);
unsigned long long nanoseconds(void); /* monotonic */
void pause_for(unsigned long long milliseconds);
int environment(const char *name, char *value, size_t size);
void *page_alloc(size_t bytes); /* aligned to 4096 */
void page_free(void *p);

/* charge.c: the books. Called with the lock held. */
size_t in_use(void);
size_t charge_of(size_t bytes, const char *kind);
int take(size_t charge); /* 0 when the budget would be passed */
void give_back(size_t charge, int host);

/* memory.c */
int on(const void *p, size_t bytes, int device);

/* device.c: whether this call may work; the result otherwise. */
CUresult enter(const char *function);
CUresult enter_context(const char *function);
void lose_context(void);

#define CHECK(condition, code) do { if (!(condition)) return code; } while (0)
#define TRY(call) do { CUresult result_ = (call); if (result_) return result_; } while (0)
#define ENTER() TRY(enter(__func__))
#define CONTEXT() TRY(enter_context(__func__))

/* kernels.c */
struct CUfunc_st {
	const char *name;
	void (*run)(const uint64_t *cells, int row0, int row1);
	int cols, rows; /* the argument cells that hold the launch's size; -1: none */
};
const struct CUfunc_st *find_kernel(const char *name);
int is_kernel(CUfunction f);

#endif
