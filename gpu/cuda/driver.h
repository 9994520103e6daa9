/* The calls into CUDA that gorgonia.org/cu lacks or makes slow. Every function sets the context
 * that it is given, so that it may be called on any thread. Handles travel as uintptr_t: they are
 * the driver's, and Go must not take them for pointers of its own. */
#ifndef PINRING_DRIVER_H
#define PINRING_DRIVER_H

#include <cuda.h>
#include <stddef.h>
#include <stdint.h>

/* Whether NVIDIA's header was used; the driver's library is then linked and not opened. */
#ifdef PINRING_LAZY_CUDA
enum { PINRING_TOOLKIT = 0 };
#else
enum { PINRING_TOOLKIT = 1 };
#endif

/* gpu.MaxArgs, gpu.BlockCols, gpu.BlockRows; layout.go compares. */
enum { PINRING_MAX_ARGS = 32, PINRING_BLOCK_COLS = 32, PINRING_BLOCK_ROWS = 8 };

/* gpu.Op; layout.go compares. */
enum {
	PINRING_COPY_H2D = 1,
	PINRING_COPY_D2H,
	PINRING_COPY_D2D,
	PINRING_FILL,
	PINRING_LAUNCH,
	PINRING_WAIT,
	PINRING_RECORD
};

/* gpu.Command; layout.go compares. */
typedef struct {
	uint32_t op, first_arg, num_args, value;
	uint64_t dst, src;
	uint64_t width, rows;
	uint64_t dst_pitch, src_pitch;
	uint64_t handle;
} pinring_command;

_Static_assert(sizeof(pinring_command) == 72, "gpu.Command has no padding");
_Static_assert(offsetof(pinring_command, dst) == 16, "gpu.Command.Dst");
_Static_assert(offsetof(pinring_command, width) == 32, "gpu.Command.Width");
_Static_assert(offsetof(pinring_command, handle) == 64, "gpu.Command.Handle");

typedef struct {
	int code; /* CUresult */
	uint32_t index; /* of the command that was refused */
} pinring_submitted;

typedef struct {
	int code;
	void *ptr;
} pinring_memory;

typedef struct {
	int code;
	unsigned int type; /* CUmemorytype, 0 when the driver does not know the address */
	int managed;
} pinring_pointer_info;

typedef struct {
	int code;
	float milliseconds;
} pinring_elapsed;

typedef struct {
	int code;
	double seconds;
} pinring_looped;

/* pinring_driver_loads says whether the driver's library can be opened. */
int pinring_driver_loads(void);
int pinring_driver_init(char *why, size_t size);
void pinring_error_text(int code, const char **name, const char **text);
int pinring_pci_bus_id(int device, char *id, int size);

pinring_submitted pinring_submit(uintptr_t context, uintptr_t stream, const pinring_command *list, uint32_t count, const uint64_t *args);
pinring_looped pinring_loop(uintptr_t context, const uintptr_t *streams, uint32_t slots, const pinring_command *lists, uint32_t each, const uint64_t *args, uint64_t n);
int pinring_stream_synchronize(uintptr_t context, uintptr_t stream);
int pinring_event_query(uintptr_t context, uintptr_t event);
int pinring_event_synchronize(uintptr_t context, uintptr_t event, int64_t spin_ns, int64_t *waited_ns);
pinring_elapsed pinring_event_elapsed(uintptr_t context, uintptr_t from, uintptr_t to);

pinring_memory pinring_host_alloc(uintptr_t context, size_t bytes, unsigned int flags);
int pinring_host_free(uintptr_t context, void *ptr);
int pinring_host_register(uintptr_t context, void *ptr, size_t bytes);
int pinring_host_unregister(uintptr_t context, void *ptr);
pinring_memory pinring_host_device_pointer(uintptr_t context, void *ptr);
pinring_pointer_info pinring_pointer(uintptr_t context, uintptr_t ptr);

#endif
