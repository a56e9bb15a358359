/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_cgroup.h"
#include "wait.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Version 1's trees, or version 2's alone. */
static const char *const v1[] = { "/sys/fs/cgroup/memory", "/sys/fs/cgroup/cpu",
				  "/sys/fs/cgroup/cpuacct", NULL };
static const char *const v2[] = { "/sys/fs/cgroup", NULL };

static bool is_v1(void)
{
	return access("/sys/fs/cgroup/memory/memory.limit_in_bytes", F_OK) == 0;
}

static const char *const *trees(void)
{
	return is_v1() ? v1 : v2;
}

static void put(const char *folder, const char *path, const char *file, const char *text)
{
	char name[600];
	int fd;

	(void)snprintf(name, sizeof(name), "%s%s/%s", folder, path, file);
	fd = open(name, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		fail_msg("%s: %s", name, strerror(errno));
	close(fd);
}

void cgroup_home_make(struct cgroup_home *home, const char *name)
{
	char path[128];

	(void)snprintf(path, sizeof(path), "/tracer-test-%s-%d", name, getpid());
	cgroup_home_make_at(home, path);
}

void cgroup_home_make_at(struct cgroup_home *home, const char *path)
{
	char folder[600];

	(void)snprintf(home->path, sizeof(home->path), "%s", path);
	if (!is_v1())
		put(v2[0], "", "cgroup.subtree_control", "+cpu +memory");
	for (const char *const *tree = trees(); *tree; tree++) {
		(void)snprintf(folder, sizeof(folder), "%s%s", *tree, home->path);
		if (mkdir(folder, 0755) < 0 && errno != EEXIST) /* cpu and cpuacct may be one */
			fail_msg("%s: %s", folder, strerror(errno));
	}
}

void cgroup_home_remove(struct cgroup_home *home)
{
	char folder[600];

	for (const char *const *tree = trees(); *tree; tree++) {
		(void)snprintf(folder, sizeof(folder), "%s%s", *tree, home->path);
		cgroup_folder_remove(folder);
	}
}

void cgroup_folder_remove(const char *folder)
{
	WAIT_FOR(rmdir(folder) == 0 || errno != EBUSY, "the processes of a cgroup to be gone");
}

uint64_t cgroup_home_id(const struct cgroup_home *home)
{
	char folder[600];
	struct stat info;

	(void)snprintf(folder, sizeof(folder), "%s%s", trees()[0], home->path);
	assert_int_equal(stat(folder, &info), 0);
	return info.st_ino;
}

void cgroup_home_join(const struct cgroup_home *home, pid_t pid)
{
	char text[16];

	(void)snprintf(text, sizeof(text), "%d", pid);
	for (const char *const *tree = trees(); *tree; tree++)
		put(*tree, home->path, "cgroup.procs", text);
}

void cgroup_home_limit_cpu(const struct cgroup_home *home, unsigned quota_us, unsigned period_us)
{
	char text[64];

	if (is_v1()) {
		(void)snprintf(text, sizeof(text), "%u", period_us);
		put(v1[1], home->path, "cpu.cfs_period_us", text);
		(void)snprintf(text, sizeof(text), "%u", quota_us);
		put(v1[1], home->path, "cpu.cfs_quota_us", text);
	} else {
		(void)snprintf(text, sizeof(text), "%u %u", quota_us, period_us);
		put(v2[0], home->path, "cpu.max", text);
	}
}

void cgroup_home_limit_memory(const struct cgroup_home *home, const char *bytes)
{
	put(trees()[0], home->path, is_v1() ? "memory.limit_in_bytes" : "memory.max", bytes);
}

int cgroup_home_wait(pid_t child)
{
	int status = 0;

	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int cgroup_home_end(pid_t child)
{
	kill(child, SIGKILL);
	return cgroup_home_wait(child);
}
