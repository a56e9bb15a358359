/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A libnvidia-ml.so.1 that plays: it answers what the file `state` beside it says, which a test
 * rewrites (by rename) while tracer-gpu runs. A line a fact:
 *   init CODE                    what nvmlInit answers
 *   entry BYTES                  size of an entry in lists of processes (default 24)
 *   gpu N WHAT VALUE…            a device; only these exist: uuid, name, memory TOTAL USED,
 *                                util GPU% MEMORY%, power MW, temperature C, clock SM MEMORY,
 *                                reasons BITS, compute PID BYTES, graphics PID BYTES,
 *                                busy PID PERCENT, fail CODE (whatever it is asked)
 * FAKE_OLD: as a driver of years ago, without the functions that came later.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include <dlfcn.h>

#define FACTS 256
#define LINE  256

static char facts[FACTS][LINE];
static int fact_count;

static void look(void)
{
	char path[4096];
	Dl_info self;
	FILE *file;

	dladdr((void *)(uintptr_t)look, &self);
	snprintf(path, sizeof(path), "%.*sstate",
		 (int)(strrchr(self.dli_fname, '/') + 1 - self.dli_fname), self.dli_fname);
	file = fopen(path, "re");
	for (fact_count = 0; file && fact_count < FACTS && fgets(facts[fact_count], LINE, file);)
		fact_count++;
	if (file)
		fclose(file);
}

/* The nth value of the kind; NULL: there are not so many. */
static const char *fact(const char *kind, int nth)
{
	size_t len = strlen(kind);

	for (int i = 0; i < fact_count; i++) {
		if (strncmp(facts[i], kind, len) == 0 && facts[i][len] == ' ' && nth-- == 0)
			return facts[i] + len + 1;
	}
	return NULL;
}

static const char *of(const void *device, const char *what, int nth)
{
	char kind[64];

	snprintf(kind, sizeof(kind), "gpu %d %s", (int)(uintptr_t)device - 1, what);
	return fact(kind, nth);
}

/* 0, the code that it shall fail with, or 3: not supported. */
static int answer(const void *device, const char *what, uint64_t *values, int count)
{
	const char *text;
	char *end;

	look();
	text = of(device, "fail", 0);
	if (text)
		return atoi(text);
	text = of(device, what, 0);
	for (int i = 0; text && i < count; i++, text = end)
		values[i] = strtoull(text, &end, 0);
	return text ? 0 : 3;
}

static int text_answer(const void *device, const char *what, char *ret, unsigned size)
{
	int code = answer(device, what, NULL, 0);

	if (code == 0)
		snprintf(ret, size, "%.*s", (int)strcspn(of(device, what, 0), "\n"),
			 of(device, what, 0));
	return code;
}

#ifdef FAKE_OLD
#define NEWER(name) name
#else
#define NEWER(name) name##_v2
#endif

int NEWER(nvmlInit)(void)
{
	look();
	return fact("init", 0) ? atoi(fact("init", 0)) : 0;
}

int nvmlShutdown(void)
{
	return 0;
}

const char *nvmlErrorString(int code)
{
	return code == 9 ? "Driver Not Loaded" : "Some Error";
}

int NEWER(nvmlDeviceGetCount)(unsigned *count)
{
	look();
	for (*count = 0; of((void *)(uintptr_t)(*count + 1), "uuid", 0);)
		(*count)++;
	return 0;
}

int NEWER(nvmlDeviceGetHandleByIndex)(unsigned index, void **device)
{
	*device = (void *)(uintptr_t)(index + 1);
	return 0;
}

int nvmlDeviceGetUUID(void *device, char *ret, unsigned size)
{
	return text_answer(device, "uuid", ret, size);
}

int nvmlDeviceGetName(void *device, char *ret, unsigned size)
{
	return text_answer(device, "name", ret, size);
}

int nvmlSystemGetDriverVersion(char *ret, unsigned size)
{
	snprintf(ret, size, "999.1 fake");
	return 0;
}

int nvmlDeviceGetMemoryInfo(void *device, uint64_t ret[3])
{
	uint64_t values[2];
	int code = answer(device, "memory", values, 2);

	if (code == 0) {
		ret[0] = values[0];
		ret[1] = values[0] - values[1];
		ret[2] = values[1];
	}
	return code;
}

static int u32_answers(void *device, const char *what, unsigned *ret, int from, int count)
{
	uint64_t values[4];
	int code = answer(device, what, values, from + count);

	for (int i = 0; code == 0 && i < count; i++)
		ret[i] = (unsigned)values[from + i];
	return code;
}

int nvmlDeviceGetUtilizationRates(void *device, unsigned ret[2])
{
	return u32_answers(device, "util", ret, 0, 2);
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *ret)
{
	return u32_answers(device, "power", ret, 0, 1);
}

int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *ret)
{
	return sensor == 0 ? u32_answers(device, "temperature", ret, 0, 1) : 3;
}

int nvmlDeviceGetClockInfo(void *device, int type, unsigned *ret)
{
	return type == 1 || type == 2 ? u32_answers(device, "clock", ret, type - 1, 1) : 3;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, uint64_t *ret)
{
	return answer(device, "reasons", ret, 1);
}

/* As the driver does: exactly `entry` bytes each, the last of them with a value. */
static int list(void *device, const char *what, size_t entry, unsigned *count, unsigned char *ret)
{
	unsigned room = *count;
	uint64_t value;
	int code = answer(device, "uuid", &value, 0);

	if (code)
		return code;
	if (fact("entry", 0) && entry > 16)
		entry = (size_t)atoi(fact("entry", 0));
	for (*count = 0; of(device, what, (int)*count); (*count)++) {
		unsigned pid;
		char *end;

		if (*count == room)
			return 7;
		pid = (unsigned)strtoul(of(device, what, (int)*count), &end, 0);
		value = strtoull(end, NULL, 0);
		memset(ret + *count * entry, 0xff, entry);
		memcpy(ret + *count * entry, &pid, sizeof(pid));
		memcpy(ret + *count * entry + 8, &value, sizeof(value));
	}
	return 0;
}

int nvmlDeviceGetComputeRunningProcesses(void *device, unsigned *count, void *ret)
{
	return list(device, "compute", 16, count, ret);
}

int nvmlDeviceGetGraphicsRunningProcesses(void *device, unsigned *count, void *ret)
{
	return list(device, "graphics", 16, count, ret);
}

#ifndef FAKE_OLD
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, void *ret)
{
	return list(device, "compute", 24, count, ret);
}

int nvmlDeviceGetGraphicsRunningProcesses_v3(void *device, unsigned *count, void *ret)
{
	return list(device, "graphics", 24, count, ret);
}

struct sample {
	unsigned pid;
	uint64_t at_us;
	unsigned util[4];
};

int nvmlDeviceGetProcessUtilization(void *device, struct sample *ret, unsigned *count,
				    uint64_t since_us)
{
	unsigned room = *count;
	struct timeval now;
	uint64_t value;
	int code = answer(device, "uuid", &value, 0);

	if (code)
		return code;
	gettimeofday(&now, NULL);
	for (*count = 0; of(device, "busy", (int)*count); (*count)++) {
		char *end;

		if (*count == room)
			return 7;
		ret[*count] = (struct sample){ .at_us = (uint64_t)now.tv_sec * 1000000 +
							(uint64_t)now.tv_usec };
		ret[*count].pid = (unsigned)strtoul(of(device, "busy", (int)*count), &end, 0);
		ret[*count].util[0] = (unsigned)strtoul(end, NULL, 0);
	}
	return *count == 0 || since_us > ret[0].at_us ? 6 : 0;
}
#endif
