/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stall/stall_wait.h"

#include <asm/unistd.h>
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"

#define THREADS     64   /* of one process that are looked at */
#define DESCRIPTORS 1024 /* of one that polls */

DEFINE_CLEANUP(DIR *, closedir)

enum how { ON_FIRST, ON_EPOLL, ON_SECOND_MANY, ON_FIRST_MANY };

/* Calls that wait on descriptors: on the one that is their first argument, on those of an epoll, or
 * on so many of a list. A 32-bit program has other numbers, and is not understood. */
static const struct {
	uint64_t number;
	enum how how;
} calls[] = {
	{ __NR_read, ON_FIRST },        { __NR_readv, ON_FIRST },
	{ __NR_pread64, ON_FIRST },     { __NR_preadv, ON_FIRST },
	{ __NR_preadv2, ON_FIRST },     { __NR_write, ON_FIRST },
	{ __NR_writev, ON_FIRST },      { __NR_pwrite64, ON_FIRST },
	{ __NR_pwritev, ON_FIRST },     { __NR_pwritev2, ON_FIRST },
	{ __NR_vmsplice, ON_FIRST },    { __NR_splice, ON_FIRST },
	{ __NR_tee, ON_FIRST },         { __NR_copy_file_range, ON_FIRST },
	{ __NR_sendfile, ON_FIRST },    { __NR_fsync, ON_FIRST },
	{ __NR_fdatasync, ON_FIRST },   { __NR_syncfs, ON_FIRST },
	{ __NR_ftruncate, ON_FIRST },   { __NR_fallocate, ON_FIRST },
	{ __NR_getdents64, ON_FIRST },  { __NR_flock, ON_FIRST },
	{ __NR_fcntl, ON_FIRST },       { __NR_connect, ON_FIRST },
	{ __NR_accept, ON_FIRST },      { __NR_accept4, ON_FIRST },
	{ __NR_sendto, ON_FIRST },      { __NR_recvfrom, ON_FIRST },
	{ __NR_sendmsg, ON_FIRST },     { __NR_recvmsg, ON_FIRST },
	{ __NR_sendmmsg, ON_FIRST },    { __NR_recvmmsg, ON_FIRST },
	{ __NR_epoll_pwait, ON_EPOLL }, { __NR_epoll_pwait2, ON_EPOLL },
	{ __NR_ppoll, ON_SECOND_MANY }, { __NR_pselect6, ON_FIRST_MANY },
#ifdef __NR_poll /* which arm64 never had */
	{ __NR_epoll_wait, ON_EPOLL },  { __NR_poll, ON_SECOND_MANY },
	{ __NR_select, ON_FIRST_MANY },
#endif
};

static void add(struct stall_waits *waits, long fd, enum stall_call call)
{
	for (size_t i = 0; i < waits->count; i++)
		if (waits->list[i].fd == fd && waits->list[i].call == call)
			return;
	if (waits->count == STALL_WAITS)
		waits->more = true;
	else if (fd >= 0 && fd <= INT_MAX)
		waits->list[waits->count++] = (struct stall_wait){ .fd = (int)fd, .call = call };
}

/* fdinfo of an epoll: a line "tfd: 5 events: …" for each (proc(5)). */
static void add_epoll(uint32_t pid, uint64_t epoll, size_t *left, struct stall_waits *waits)
{
	char path[64], line[256];
	CLEANUP(fclosep) FILE *file = NULL;

	(void)snprintf(path, sizeof(path), "/proc/%" PRIu32 "/fdinfo/%" PRIu64, pid, epoll);
	file = fopen(path, "re");
	while (file && !waits->more && *left && fgets(line, sizeof(line), file)) {
		--*left;
		if (text_starts_with(line, "tfd:"))
			add(waits, strtol(line + 4, NULL, 10), STALL_EPOLL);
	}
}

static void add_sockets(uint32_t pid, size_t *left, struct stall_waits *waits)
{
	char path[64], target[64];
	CLEANUP(closedirp) DIR *folder = NULL;
	const struct dirent *entry;

	(void)snprintf(path, sizeof(path), "/proc/%" PRIu32 "/fd", pid);
	folder = opendir(path);
	for (int i = 0; folder && *left && (entry = readdir(folder)); i++) {
		long fd = strtol(entry->d_name, NULL, 10);

		--*left;
		waits->more |= i >= DESCRIPTORS;
		if (waits->more)
			return;
		if (entry->d_name[0] != '.' && stall_target(pid, (int)fd, target, sizeof(target)) &&
		    text_starts_with(target, "socket:"))
			add(waits, fd, STALL_POLL);
	}
}

static void add_polled(uint32_t pid, enum how how, const uint64_t *call, size_t *left,
		       struct stall_waits *waits)
{
	waits->polls = true;
	if (how == ON_EPOLL)
		add_epoll(pid, call[1], left, waits);
	else if (how == ON_FIRST_MANY ? call[1] : call[2])
		add_sockets(pid, left, waits);
}

static void add_call(uint32_t pid, const uint64_t *call, size_t *left, struct stall_waits *waits)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (calls[i].number != call[0])
			continue;
		if (calls[i].how == ON_FIRST)
			add(waits, call[1] <= INT_MAX ? (long)call[1] : -1, STALL_CALL);
		else
			add_polled(pid, calls[i].how, call, left, waits);
		return;
	}
}

/* The number of its system call and two arguments; "running" and "-1" are none. */
static bool read_call(uint32_t pid, const char *thread, uint64_t ret[3])
{
	char path[96], line[256], *rest = line;
	CLEANUP(fclosep) FILE *file = NULL;

	(void)snprintf(path, sizeof(path), "/proc/%" PRIu32 "/task/%.16s/syscall", pid, thread);
	file = fopen(path, "re");
	if (!file || !fgets(line, sizeof(line), file) || line[0] < '0' || line[0] > '9')
		return false;
	ret[0] = strtoull(rest, &rest, 10);
	ret[1] = strtoull(rest, &rest, 16);
	ret[2] = strtoull(rest, &rest, 16);
	return true;
}

void stall_waits_read(uint32_t pid, size_t *left, struct stall_waits *ret)
{
	char path[64];
	CLEANUP(closedirp) DIR *folder = NULL;
	const struct dirent *entry;
	uint64_t call[3];

	*ret = (struct stall_waits){ 0 };
	(void)snprintf(path, sizeof(path), "/proc/%" PRIu32 "/task", pid);
	folder = opendir(path);
	for (int i = 0; folder && i < THREADS && *left && (entry = readdir(folder)); i++) {
		--*left;
		if (entry->d_name[0] != '.' && read_call(pid, entry->d_name, call))
			add_call(pid, call, left, ret);
	}
}

bool stall_target(uint32_t pid, int fd, char *target, size_t size)
{
	char path[64];
	ssize_t len;

	(void)snprintf(path, sizeof(path), "/proc/%" PRIu32 "/fd/%d", pid, fd);
	len = readlink(path, target, size - 1);
	target[len > 0 ? len : 0] = '\0';
	return len > 0;
}
