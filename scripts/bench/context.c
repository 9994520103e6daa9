/* context.c creates a CUDA context and ends: what any program that uses a card pays before its first
 * kernel. bench.sh sets the time to pinring's first frame against it. It loads the driver by name, so
 * that it builds without a toolkit:
 *
 *	cc -O2 -o context context.c -ldl
 */
#include <dlfcn.h>
#include <stdio.h>

static void *driver;

/* call calls a function of the driver that takes three arguments or fewer. */
static int call(const char *name, void *a, void *b, void *c)
{
	int (*f)(void *, void *, void *) = (int (*)(void *, void *, void *))dlsym(driver, name);
	int status = f ? f(a, b, c) : -1;
	if (status) fprintf(stderr, "context: %s gives %d\n", name, status);
	return status;
}

int main(void)
{
	int device;
	void *context;
	if (!(driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL))) {
		fprintf(stderr, "context: %s\n", dlerror());
		return 7;
	}
	if (call("cuInit", 0, 0, 0) || call("cuDeviceGet", &device, 0, 0)) return 7;
	if (call("cuDevicePrimaryCtxRetain", &context, (void *)(long)device, 0)) return 7;
	if (call("cuCtxSetCurrent", context, 0, 0) || call("cuCtxSynchronize", 0, 0, 0)) return 7;
	return 0;
}
