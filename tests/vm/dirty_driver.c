/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits for memory within write(2), and records how long (waited.h): the dirty pages of its earlier
 * writes fill its cgroup of 32 MiB and must be written to the disk first. Version 2 of cgroups
 * throttles a writer earlier: there a part of the wait is one for the disk.
 *
 *     dirty_driver ROUNDS SCRATCH
 */
#include <fcntl.h>

#include "../../bench/drivers/waited.h"

#define BYTES (128u << 20)

static long long dirty(const char *scratch)
{
	static char room[64 << 10];
	char path[4096];
	long long before;
	int fd;

	snprintf(path, sizeof(path), "%s/dirty", scratch);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	need(fd >= 0, path);
	before = off_cpu_ns();
	for (size_t i = 0; i < BYTES / sizeof(room); i++)
		need(write(fd, room, sizeof(room)) == sizeof(room), "write");
	before = off_cpu_ns() - before;
	need(before > NS_PER_MS, "memory was no matter: is there a limit?");
	return before;
}

static const struct way ways[] = { { "dirty", "paging", dirty } };

int main(int argc, char **argv)
{
	return waited_main(argc, argv, ways, 1, 1);
}
