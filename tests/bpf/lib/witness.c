/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "base/cleanup.h"
#include "probe/load/tracefs.h"
#include "witness.h"

static const struct {
	const char *rwbs; /* include/trace/events/block.h */
	int field;        /* of the account, from 0 */
} operations[WITNESS_OPERATIONS] = {
	[WITNESS_READ] = { "R*", 0 },
	[WITNESS_WRITE] = { "W*", 4 },
};

static int count_on(int cpu, int id, const char *filter)
{
	struct perf_event_attr event = { .type = PERF_TYPE_TRACEPOINT,
					 .size = sizeof(event),
					 .config = (unsigned)id };
	int fd = (int)syscall(SYS_perf_event_open, &event, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		assert_int_equal(ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter), 0);
	return fd; /* < 0: no such CPU, or it is off */
}

static unsigned device_number(const char *disk)
{
	CLEANUP(fclosep) FILE *file = NULL;
	unsigned major, minor;
	char path[64];

	snprintf(path, sizeof(path), "/sys/block/%s/dev", disk);
	file = fopen(path, "re");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%u:%u", &major, &minor), 2);
	return major << 20 | minor;
}

void witness_open(struct witness *ret, const char *disk)
{
	CLEANUP(closep) int folder = tracefs_open();
	int id = tracefs_id(folder, "block", "block_rq_complete");
	size_t opened = 0;

	assert_true(id > 0);
	memset(ret, 0, sizeof(*ret));
	snprintf(ret->stat, sizeof(ret->stat), "/sys/block/%s/stat", disk);
	for (size_t i = 0; i < WITNESS_OPERATIONS; i++) {
		char filter[64];

		snprintf(filter, sizeof(filter), "dev == %u && rwbs ~ \"%s\"", device_number(disk),
			 operations[i].rwbs);
		for (int cpu = 0; cpu < WITNESS_CPUS_MAX; cpu++) {
			ret->counters[i][cpu] = count_on(cpu, id, filter);
			opened += ret->counters[i][cpu] >= 0;
		}
	}
	assert_true(opened >= WITNESS_OPERATIONS);
}

void witness_close(struct witness *witness)
{
	for (size_t i = 0; i < WITNESS_OPERATIONS; i++)
		for (int cpu = 0; cpu < WITNESS_CPUS_MAX; cpu++)
			closep(&witness->counters[i][cpu]);
}

/* Ended by the disk's account, less those that the tracepoint reported. */
static uint64_t unreported(const struct witness *witness, int operation)
{
	CLEANUP(fclosep) FILE *file = fopen(witness->stat, "re");
	uint64_t ended = 0, told = 0, count;

	assert_non_null(file);
	for (int field = 0; field <= operations[operation].field; field++)
		assert_int_equal(fscanf(file, "%lu", &ended), 1);
	for (int cpu = 0; cpu < WITNESS_CPUS_MAX; cpu++)
		if (witness->counters[operation][cpu] >= 0) {
			assert_int_equal(
				read(witness->counters[operation][cpu], &count, sizeof(count)),
				sizeof(count));
			told += count;
		}
	return ended - told;
}

void witness_begin(struct witness *witness)
{
	for (int i = 0; i < WITNESS_OPERATIONS; i++)
		witness->before[i] = unreported(witness, i);
}

uint64_t witness_unreported(const struct witness *witness, int operation)
{
	return unreported(witness, operation) - witness->before[operation];
}
