#include "collect/stall_end.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "collect/record.h"
#include "collect/tracker.h"

#define DESCRIPTORS 256 /* of one process that are looked at */

DEFINE_CLEANUP(DIR *, closedir)

/* The first argument of the system call that the process is in (proc(5), syscall): what those that
 * wait on a file have as their descriptor. -1: it is in none, or that may not be seen. */
static long waits_on(uint32_t pid)
{
	char path[64], line[256] = "", *rest;
	CLEANUP(fclosep) FILE *file = NULL;
	unsigned long fd;

	(void)snprintf(path, sizeof(path), "/proc/%" PRIu32 "/syscall", pid);
	file = fopen(path, "re");
	if (!file || !fgets(line, sizeof(line), file) || line[0] < '0' || line[0] > '9')
		return -1;
	(void)strtoul(line, &rest, 10);
	fd = strtoul(rest, NULL, 16);
	return fd <= INT_MAX ? (long)fd : -1;
}

static bool read_descriptor(uint32_t pid, const char *fd, char *target, size_t size)
{
	char path[64];
	ssize_t len;

	(void)snprintf(path, sizeof(path), "/proc/%" PRIu32 "/fd/%.16s", pid, fd);
	len = readlink(path, target, size - 1);
	target[len > 0 ? len : 0] = '\0';
	return len > 0;
}

struct search {
	const struct process *hangs;
	const char *target; /* "pipe:[123]" */
	const struct process *found;
};

static bool holds(uint32_t pid, const char *target)
{
	char path[64], other[128];
	CLEANUP(closedirp) DIR *folder = NULL;
	const struct dirent *entry;

	(void)snprintf(path, sizeof(path), "/proc/%" PRIu32 "/fd", pid);
	folder = opendir(path);
	for (int i = 0; folder && i < DESCRIPTORS && (entry = readdir(folder)); i++)
		if (entry->d_name[0] != '.' &&
		    read_descriptor(pid, entry->d_name, other, sizeof(other)) &&
		    strcmp(other, target) == 0)
			return true;
	return false;
}

/* Of several the one that began last: shells keep the pipes that they make. */
static void look(struct process *process, void *context)
{
	struct search *search = context;

	if (process->ended_ns || process == search->hangs ||
	    process->place.run != search->hangs->place.run ||
	    (search->found && search->found->started_at > process->started_at))
		return;
	if (holds(process->key.pid, search->target))
		search->found = process;
}

const char *stall_end(struct tracker *tracker, const struct process *process, char *text,
		      size_t size)
{
	char target[256], number[32], name[128];
	struct search search = { .hangs = process, .target = target };
	long fd = waits_on(process->key.pid);

	text[0] = '\0';
	(void)snprintf(number, sizeof(number), "%ld", fd);
	if (fd < 0 || !read_descriptor(process->key.pid, number, target, sizeof(target)))
		return text;
	if (target[0] == '/') {
		(void)snprintf(text, size, ", of %.200s", target);
		return text;
	}
	table_visit(tracker->table, look, &search);
	if (search.found)
		(void)snprintf(text, size, ", whose other end is held by %s",
			       process_words(search.found, name, sizeof(name)));
	return text;
}
