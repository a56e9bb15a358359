/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits for memory that was taken back, and writes down how long (waited.h).
 *
 *     reclaim_driver ROUNDS SCRATCH     to be run in a cgroup with a limit below MAPPED_BYTES
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/resource.h>

#include "cold.h"
#include "waited.h"

#define MAPPED_BYTES (48u << 20)
#define PAGE_BYTES   4096

static long faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_majflt;
}

/* Reads a mapped file twice that is larger than the limit: the pages of the first pass have to be
 * read from the disk again. */
static long long reclaim(const char *scratch)
{
	int fd = cold_file(scratch, O_RDONLY);
	volatile char *bytes = mmap(NULL, MAPPED_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	long long before;
	long first = 0;
	char sum = 0;

	need(bytes != MAP_FAILED, "mmap");
	before = off_cpu_ns();
	for (int pass = 0; pass < 2; pass++) {
		first = faults();
		for (size_t i = 0; i < MAPPED_BYTES; i += PAGE_BYTES)
			sum = (char)(sum + bytes[i]);
	}
	before = off_cpu_ns() - before;
	need(faults() > first, "nothing was taken back: is there a limit?");
	return before;
}

static const struct way ways[] = { { "reclaim", "paging", reclaim } };

int main(int argc, char **argv)
{
	return waited_main(argc, argv, ways, 1, 1);
}
