/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/drm_client.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"

#define PATH_SIZE    4096
#define FDINFO_BYTES 16384
#define PIDS_MAX     65536 /* in a walk */
#define DEVICES      "/dev/dri/"

struct client {
	uint32_t pid;
	uint32_t other; /* another process that has it, too; 0: none was seen */
	uint64_t seen;  /* the reading that showed it last */
	struct fdinfo info;
};

struct clients {
	char root[1024];
	struct client list[CLIENTS_MAX];
	size_t count;
	uint64_t reading;
	uint64_t began_ns;           /* boot-time clock */
	uint64_t read_ns, passed_ns; /* monotonic clock: this reading, and since the one before */
	uint32_t walked;             /* the pid where the walk stopped */
	uint32_t pids[PIDS_MAX];
	void (*report)(void *context, const struct client_use *use);
	void *context;
};

DEFINE_CLEANUP(DIR *, closedir)

struct clients *clients_new(const char *root)
{
	struct clients *clients = calloc(1, sizeof(*clients));

	if (!clients)
		return NULL;
	(void)snprintf(clients->root, sizeof(clients->root), "%s", root);
	clients->began_ns = clock_boot_ns();
	clients->read_ns = clock_monotonic_ns();
	return clients;
}

void clients_free(struct clients *clients)
{
	free(clients);
}

/* Whether all that a process did on a device was done since we look: field 22 of its stat (proc(5))
 * says when it began, in clock ticks. */
static bool began_later(const struct clients *clients, uint32_t pid)
{
	char path[PATH_SIZE], *text CLEANUP(freep) = NULL;
	const char *field;
	size_t len;

	(void)snprintf(path, sizeof(path), "%s/proc/%" PRIu32 "/stat", clients->root, pid);
	if (file_read(AT_FDCWD, path, 4096, &text, &len) < 0)
		return false;
	field = strrchr(text, ')');
	for (int number = 2; field && number < 22; number++)
		field = strchr(field + 1, ' ');
	return field &&
	       strtoull(field + 1, NULL, 10) * (uint64_t)(NS_PER_S / sysconf(_SC_CLK_TCK)) >=
		       clients->began_ns;
}

static struct client *find(struct clients *clients, const struct fdinfo *info)
{
	for (size_t i = 0; i < clients->count; i++) {
		struct client *client = &clients->list[i];

		if (client->info.client_id == info->client_id &&
		    strcmp(client->info.device, info->device) == 0 &&
		    strcmp(client->info.driver, info->driver) == 0)
			return client;
	}
	return NULL;
}

static void take(struct clients *clients, uint32_t pid, const struct fdinfo *info)
{
	struct client *client = find(clients, info);
	const struct fdinfo *before = client ? &client->info : NULL;
	struct client_use use = { .pid = pid, .info = info };
	bool is_new = !client;

	if (client && client->pid != pid)
		client->other = pid;
	if (client && (client->seen == clients->reading || client->pid != pid))
		return;
	if (is_new) {
		if (clients->count == CLIENTS_MAX)
			return;
		client = &clients->list[clients->count++];
		*client = (struct client){ .pid = pid };
		if (!began_later(clients, pid))
			before = info; /* what it did before is unknown */
	}
	if (!fdinfo_busy(before, info, clients->passed_ns, &use.busy_ns))
		use.busy_ns = UINT64_MAX;
	client->info = *info;
	client->seen = clients->reading;
	clients->report(clients->context, &use);
}

static bool is_device(int folder, const char *fd)
{
	char link[sizeof(DEVICES)];
	ssize_t len = readlinkat(folder, fd, link, sizeof(link));

	return len >= (ssize_t)strlen(DEVICES) && memcmp(link, DEVICES, strlen(DEVICES)) == 0;
}

static void read_client(struct clients *clients, uint32_t pid, int folder, const char *fd)
{
	char *text CLEANUP(freep) = NULL;
	struct fdinfo info;
	char name[64];
	size_t size;

	(void)snprintf(name, sizeof(name), "../fdinfo/%.32s", fd);
	if (file_read(folder, name, FDINFO_BYTES, &text, &size) == 0 && fdinfo_read(text, &info))
		take(clients, pid, &info);
}

static void look_at_process(struct clients *clients, uint32_t pid)
{
	char path[PATH_SIZE];
	CLEANUP(closedirp) DIR *folder = NULL;
	const struct dirent *entry;
	int fds = 0;

	(void)snprintf(path, sizeof(path), "%s/proc/%" PRIu32 "/fd", clients->root, pid);
	folder = opendir(path);
	while (folder && fds < CLIENTS_FDS && (entry = readdir(folder))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		fds++;
		if (is_device(dirfd(folder), entry->d_name))
			read_client(clients, pid, dirfd(folder), entry->d_name);
	}
}

static int by_number(const void *a_, const void *b_)
{
	const uint32_t *a = a_, *b = b_;

	return *a < *b ? -1 : *a > *b;
}

/* All pids, the smallest first. */
static size_t list_pids(struct clients *clients)
{
	char path[PATH_SIZE];
	CLEANUP(closedirp) DIR *folder = NULL;
	const struct dirent *entry;
	size_t count = 0;

	(void)snprintf(path, sizeof(path), "%s/proc", clients->root);
	folder = opendir(path);
	while (folder && count < PIDS_MAX && (entry = readdir(folder))) {
		if (isdigit((unsigned char)entry->d_name[0]))
			clients->pids[count++] = (uint32_t)strtoul(entry->d_name, NULL, 10);
	}
	qsort(clients->pids, count, sizeof(*clients->pids), by_number);
	return count;
}

static void walk(struct clients *clients)
{
	size_t count = list_pids(clients), first = 0;

	while (first < count && clients->pids[first] <= clients->walked)
		first++;
	for (size_t i = 0; i < count && i < CLIENTS_WALK; i++) {
		clients->walked = clients->pids[(first + i) % count];
		look_at_process(clients, clients->walked);
	}
}

/* A client that its process does not have any more is another's, or forgotten. */
static void forget(struct clients *clients)
{
	size_t kept = 0;

	for (size_t i = 0; i < clients->count; i++) {
		struct client *client = &clients->list[i];
		bool lost = client->seen != clients->reading;

		if (lost && !client->other)
			continue;
		if (lost)
			client->pid = client->other;
		if (lost)
			client->other = 0;
		clients->list[kept++] = *client;
	}
	clients->count = kept;
}

void clients_read(struct clients *clients,
		  void (*report)(void *context, const struct client_use *use), void *context)
{
	uint64_t now_ns = clock_monotonic_ns();
	uint32_t last = 0;

	clients->report = report;
	clients->context = context;
	clients->reading++;
	clients->passed_ns = now_ns - clients->read_ns;
	clients->read_ns = now_ns;
	for (size_t i = 0, count = clients->count; i < count; i++) {
		if (clients->list[i].seen != clients->reading && clients->list[i].pid != last)
			look_at_process(clients, last = clients->list[i].pid);
	}
	walk(clients);
	forget(clients);
}
