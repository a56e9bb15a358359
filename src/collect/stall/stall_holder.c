/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stall/stall_holder.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "collect/procfs/fields.h"
#include "collect/output/record.h"
#include "collect/stall/stall_wait.h"
#include "collect/process/process_table.h"
#include "signal/redact/redact.h"

#define DESCRIPTORS 4096 /* of one process that are looked at */
#define BEHIND_NAME 19   /* fields between the name and starttime (proc(5), stat) */

DEFINE_CLEANUP(DIR *, closedir)

struct search {
	const struct process *but;
	const char *target;
	mode_t wanted;
	size_t *left;
	const struct process *found; /* that is tracked */
	uint32_t pid;                /* else any */
	uint64_t start_ticks;
	char name[32];
};

/* What /proc/PID/fd/N may be used for is what the file is open for. */
mode_t stall_rights(unsigned pid, int fd)
{
	char path[64];
	struct stat status;

	(void)snprintf(path, sizeof(path), "/proc/%u/fd/%d", pid, fd);
	return lstat(path, &status) == 0 ? status.st_mode & (S_IRUSR | S_IWUSR) : 0;
}

static bool holds(struct search *search, uint32_t pid)
{
	char path[64], target[128];
	CLEANUP(closedirp) DIR *folder = NULL;
	const struct dirent *entry;

	(void)snprintf(path, sizeof(path), "/proc/%" PRIu32 "/fd", pid);
	folder = opendir(path);
	for (int i = 0; folder && i < DESCRIPTORS && *search->left && (entry = readdir(folder));
	     i++) {
		int fd = (int)strtol(entry->d_name, NULL, 10);

		--*search->left;
		if (entry->d_name[0] != '.' && stall_target(pid, fd, target, sizeof(target)) &&
		    strcmp(target, search->target) == 0 && (stall_rights(pid, fd) & search->wanted))
			return true;
	}
	return false;
}

static void look_tracked(struct process *process, void *context)
{
	struct search *search = context;

	if (process == search->but || process->attribution.run != search->but->attribution.run ||
	    (search->found && search->found->started_at > process->started_at))
		return;
	if (holds(search, process->key.pid))
		search->found = process;
}

/* Its name and when it began: pid (name) state … starttime …; a name may hold anything. */
static bool read_stat(uint32_t pid, char *name, size_t size, uint64_t *ret_ticks)
{
	char path[64], line[1024];
	CLEANUP(fclosep) FILE *file = NULL;
	const char *begin, *end;
	size_t len;

	(void)snprintf(path, sizeof(path), "/proc/%" PRIu32 "/stat", pid);
	file = fopen(path, "re");
	len = file ? fread(line, 1, sizeof(line) - 1, file) : 0;
	line[len] = '\0';
	begin = strchr(line, '(');
	end = strrchr(line, ')');
	if (!begin || !end || end < begin)
		return false;
	(void)snprintf(name, size, "%.*s", (int)(end - begin - 1), begin + 1);
	for (char *c = name; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	end++;
	return fields_skip(&end, BEHIND_NAME) && fields_u64(&end, ret_ticks);
}

static void look_any(struct search *search, uint32_t pid)
{
	char name[sizeof(search->name)];
	uint64_t ticks;

	if (pid == search->but->key.pid || !holds(search, pid) ||
	    !read_stat(pid, name, sizeof(name), &ticks) ||
	    (search->pid && search->start_ticks > ticks))
		return;
	search->pid = pid;
	search->start_ticks = ticks;
	memcpy(search->name, name, sizeof(name));
}

static void look_everywhere(struct search *search)
{
	CLEANUP(closedirp) DIR *folder = opendir("/proc");
	const struct dirent *entry;

	while (folder && *search->left && (entry = readdir(folder))) {
		--*search->left;
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			look_any(search, (uint32_t)strtoul(entry->d_name, NULL, 10));
	}
}

/* Where it is tracked work its tool is known. */
static void recognise(struct process *process, void *context)
{
	struct search *search = context;

	if (process->key.pid == search->pid)
		search->found = process;
}

bool stall_holder(struct process_table *processes, const struct process *but, const char *target,
		  mode_t wanted, size_t *left, char *text, size_t size)
{
	struct search search = { .but = but, .target = target, .wanted = wanted, .left = left };
	char name[sizeof(search.name)];

	process_table_visit(processes, look_tracked, &search);
	if (!search.found) {
		look_everywhere(&search);
		if (!search.pid)
			return false;
		process_table_visit(processes, recognise, &search);
	}
	if (search.found)
		(void)process_words(search.found, text, size);
	else
		(void)snprintf(text, size, "%s (pid %" PRIu32 ")",
			       redact_copy(search.name, name, sizeof(name)), search.pid);
	return true;
}
