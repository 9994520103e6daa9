#include "double.h"

#ifdef _WIN32
#include <malloc.h>
#include <windows.h>

static SRWLOCK mutex = SRWLOCK_INIT;
void lock(void) { AcquireSRWLockExclusive(&mutex); }
void unlock(void) { ReleaseSRWLockExclusive(&mutex); }

unsigned long long nanoseconds(void) {
	LARGE_INTEGER now, rate;
	QueryPerformanceCounter(&now);
	QueryPerformanceFrequency(&rate);
	return (unsigned long long)((double)now.QuadPart * 1e9 / (double)rate.QuadPart);
}

/* Not getenv: that does not see what the process has set since it started. */
int environment(const char *name, char *value, size_t size) {
	DWORD n = GetEnvironmentVariableA(name, value, (DWORD)size);
	return n > 0 && n < size;
}

void pause_for(unsigned long long milliseconds) { Sleep((DWORD)milliseconds); }

void *page_alloc(size_t bytes) { return _aligned_malloc(bytes, 4096); }
void page_free(void *p) { _aligned_free(p); }

#else
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void lock(void) { pthread_mutex_lock(&mutex); }
void unlock(void) { pthread_mutex_unlock(&mutex); }

unsigned long long nanoseconds(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (unsigned long long)t.tv_sec * 1000000000ull + (unsigned long long)t.tv_nsec;
}

int environment(const char *name, char *value, size_t size) {
	const char *text = getenv(name);
	if (!text || strlen(text) >= size) return 0;
	strcpy(value, text);
	return 1;
}

void pause_for(unsigned long long milliseconds) {
	struct timespec t = {milliseconds / 1000, milliseconds % 1000 * 1000000};
	nanosleep(&t, NULL);
}

void *page_alloc(size_t bytes) { return aligned_alloc(4096, bytes); }
void page_free(void *p) { free(p); }
#endif
