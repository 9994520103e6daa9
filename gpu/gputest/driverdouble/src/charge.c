/* The books of the card's memory: what others have, the context, device memory, and what pinned
 * memory is charged, some time longer than it exists. */
#include "double.h"

struct pending { size_t bytes; unsigned long long until; };

static struct pending *list;
static size_t count, room;
static size_t live, waiting;

/* reclaim drops the charges whose time has come. */
static void reclaim(void) {
	unsigned long long now = nanoseconds();
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		if (list[i].until <= now) waiting -= list[i].bytes;
		else list[kept++] = list[i];
	}
	count = kept;
}

size_t in_use(void) {
	reclaim();
	return settings.others + live + waiting;
}

static int charged(const char *kind) {
	size_t n = strlen(kind);
	for (const char *s = settings.kinds; s; s = strchr(s, '+')) {
		if (*s == '+') s++;
		if (!strncmp(s, kind, n) && (s[n] == 0 || s[n] == '+')) return 1;
	}
	return 0;
}

/* charge_of is bytes times the ratio, rounded up: one ratio up to 512 MiB, another from 1 GiB, and the
 * straight line between them. */
size_t charge_of(size_t bytes, const char *kind) {
	const double from = 512.0 * (1 << 20), to = 1024.0 * (1 << 20);
	if (!charged(kind) || !settings.small) return 0;
	double small = settings.small, large = settings.large ? settings.large : small;
	double t = ((double)bytes - from) / (to - from);
	double ratio = small + (t < 0 ? 0 : t > 1 ? 1 : t) * (large - small);
	double charge = (double)bytes * ratio / 1000;
	size_t n = (size_t)charge;
	return n + (charge - (double)n > 1e-6);
}

int take(size_t charge) {
	size_t used = in_use();
	size_t limit = settings.budget < settings.total ? settings.budget : settings.total;
	if (used > limit || charge > limit - used) return 0;
	live += charge;
	return 1;
}

/* give_back ends a charge: at once, or for host memory after the reclaim delay. */
void give_back(size_t charge, int host) {
	live -= charge;
	if (!charge || !host || !settings.reclaim) return;
	reclaim();
	if (count == room) {
		room = room ? 2 * room : 64;
		list = realloc(list, room * sizeof *list);
		if (!list) abort();
	}
	list[count++] = (struct pending){charge, nanoseconds() + settings.reclaim};
	waiting += charge;
}

/* cuda_double_books is how the double of the management library learns what is in use. */
API void cuda_double_books(size_t *total, size_t *used) {
	lock();
	*total = settings.total;
	*used = in_use();
	unlock();
}
