/* SPDX-License-Identifier: Apache-2.0 */
/* Processes with known kinds of memory: see driver.c. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "driver.h"

/* hold MIB: allocates memory, a third anonymous, a third shared, a third of a file; then waits
 * until standard input ends */
int hold(char **arguments)
{
	size_t bytes = number(arguments[0]) * MIB / 3;
	char name[] = "/var/tmp/probe_hold.XXXXXX"; /* a file in /tmp may be shared memory */
	int fd = mkstemp(name);
	char *file, *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				   -1, 0);

	char *private =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	need(fd >= 0 && !unlink(name) && !ftruncate(fd, (off_t)bytes), "mkstemp");
	file = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	need(file != MAP_FAILED && shared != MAP_FAILED && private != MAP_FAILED, "mmap");
	memset(file, 1, bytes);
	memset(shared, 1, bytes);
	memset(private, 1, bytes);
	until_input_ends();
	return 0;
}

static void join(const char *processes)
{
	int fd = open(processes, O_WRONLY | O_CLOEXEC);

	need(fd >= 0 && write(fd, "0", 1) == 1, processes);
	close(fd);
}

/* swap MIB PROCESSES: joins the cgroup with that file, and allocates more memory than its limit;
 * waits until standard input ends, then reads all of it */
int swap(char **arguments)
{
	size_t bytes = number(arguments[0]) * MIB;
	volatile char *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	join(arguments[1]);
	need(memory != MAP_FAILED, "mmap");
	madvise((void *)memory, bytes, MADV_NOHUGEPAGE);
	memset((void *)memory, 1, bytes);
	until_input_ends();
	for (size_t i = 0; i < bytes; i += 4096)
		need(memory[i] == 1, "what was swapped out");
	return 0;
}
