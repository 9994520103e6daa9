/* The settings: CUDA_DOUBLE="key=value,key=value". What cannot be read ends the process: a test that
 * says something else than it means must not pass. */
#include "double.h"

struct settings settings;

static void refuse(const char *what) {
	fprintf(stderr, "driver double: CUDA_DOUBLE: cannot read %s\n", what);
	abort();
}

static unsigned long long number(const char *key, const char *text) {
	char *end;
	unsigned long long n = strtoull(text, &end, 10);
	if (end == text || *end) refuse(key);
	return n;
}

static void word(const char *key, const char *text, char *to, size_t size) {
	if (strlen(text) >= size) refuse(key);
	strcpy(to, text);
}

static void luid(const char *text) {
	if (strlen(text) != 16) refuse("luid");
	for (int i = 0; i < 8; i++) {
		unsigned int byte;
		if (sscanf(text + 2 * i, "%2x", &byte) != 1) refuse("luid");
		settings.luid[i] = (unsigned char)byte;
	}
	settings.has_luid = 1;
}

static void set(const char *key, const char *value) {
#define NUMBER(field) else if (!strcmp(key, #field)) settings.field = number(key, value)
	if (!strcmp(key, "reclaim")) settings.reclaim = number(key, value) * 1000000ull;
	else if (!strcmp(key, "kinds")) word(key, value, settings.kinds, sizeof settings.kinds);
	else if (!strcmp(key, "fail")) word(key, value, settings.fail, sizeof settings.fail);
	else if (!strcmp(key, "luid")) luid(value);
	NUMBER(total);
	NUMBER(others);
	NUMBER(context);
	NUMBER(arrive);
	NUMBER(budget);
	NUMBER(small);
	NUMBER(large);
	NUMBER(devices);
	NUMBER(tcc);
	else refuse(key);
}

void read_settings(void) {
	char text[1024];
	settings = (struct settings){.total = 1 << 30, .devices = 1, .kinds = "pinned+registered+mapped+write-combined"};
	if (!environment("CUDA_DOUBLE", text, sizeof text)) text[0] = 0;
	for (char *part = strtok(text, ","); part; part = strtok(NULL, ",")) {
		char *value = strchr(part, '=');
		if (!value) refuse(part);
		*value++ = 0;
		set(part, value);
	}
	if (!settings.budget) settings.budget = settings.total;
}
