/* SPDX-License-Identifier: Apache-2.0 */
#include "server/confine/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"

/* Of linux/landlock.h of later kernels than Debian 12's: ABI 3 (Linux 6.2), 4 (6.7), 5 (6.10),
 * 6 (6.12). */
#define FS_TRUNCATE    (1ULL << 14)
#define FS_IOCTL_DEV   (1ULL << 15)
#define NET_BIND_TCP   (1ULL << 0)
#define NET_CONNECT    (1ULL << 1)
#define SCOPE_ABSTRACT (1ULL << 0)
#define SCOPE_SIGNAL   (1ULL << 1)

struct ruleset_attributes {
	uint64_t fs, net, scoped;
};

#define FS_READ (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define FS_WRITE                                                         \
	(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | \
	 LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |  \
	 LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK)
/* Nothing below any path may be these. */
#define FS_NEVER                                                        \
	(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR |    \
	 LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | \
	 LANDLOCK_ACCESS_FS_MAKE_SYM)
/* What a rule of a file, and not of a folder, may name. */
#define FS_OF_FILE (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE)

/* What each version of Landlock can refuse besides the earlier ones. */
static const struct ruleset_attributes BY_ABI[] = {
	{ 0 },
	{ .fs = FS_READ | FS_WRITE | FS_NEVER },
	{ .fs = LANDLOCK_ACCESS_FS_REFER },
	{ .fs = FS_TRUNCATE },
	{ .net = NET_BIND_TCP | NET_CONNECT },
	{ .fs = FS_IOCTL_DEV },
	{ .scoped = SCOPE_ABSTRACT | SCOPE_SIGNAL },
};
#define ABI_NEWEST ((int)(sizeof(BY_ABI) / sizeof(BY_ABI[0])) - 1)

static struct ruleset_attributes refusable(int abi)
{
	struct ruleset_attributes all = { 0 };

	for (int i = 1; i <= abi && i <= ABI_NEWEST; i++) {
		all.fs |= BY_ABI[i].fs;
		all.net |= BY_ABI[i].net;
		all.scoped |= BY_ABI[i].scoped;
	}
	return all;
}

/* A kernel takes a structure that is longer than its own if what it does not know is 0. */
static int new_ruleset(const struct ruleset_attributes *attributes)
{
	int fd = (int)syscall(SYS_landlock_create_ruleset, attributes, sizeof(*attributes), 0);

	return fd < 0 ? -errno : fd;
}

static int allow(int ruleset, const struct landlock_path *path, uint64_t refused)
{
	struct landlock_path_beneath_attr rule = { .parent_fd = -1 };
	CLEANUP(closep) int fd = open(path->path, O_PATH | O_CLOEXEC);
	struct stat info;

	if (fd < 0)
		return errno == ENOENT || errno == EACCES || errno == ENOTDIR ? 0 : -errno;
	if (fstat(fd, &info) < 0)
		return -errno;
	rule.parent_fd = fd;
	rule.allowed_access = FS_READ;
	if (path->write)
		rule.allowed_access |= FS_WRITE | LANDLOCK_ACCESS_FS_REFER | FS_TRUNCATE;
	if (!S_ISDIR(info.st_mode))
		rule.allowed_access &= FS_OF_FILE;
	rule.allowed_access &= refused;
	return syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) < 0
		       ? -errno
		       : 0;
}

int landlock_restrict(const struct landlock_path *paths, size_t count, enum landlock_tcp tcp,
		      int *ret_abi, struct error *err)
{
	int abi =
		(int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	struct ruleset_attributes attributes = refusable(abi);
	CLEANUP(closep) int ruleset = -1;
	int rc = 0;

	if (tcp == LANDLOCK_TCP_CONNECT)
		attributes.net &= ~NET_CONNECT;
	*ret_abi = abi > 0 ? abi : 0;
	if (abi <= 0)
		return 0;
	ruleset = new_ruleset(&attributes);
	if (ruleset < 0)
		return error_set(err, ruleset, "Landlock: cannot make a set of rules: %s",
				 strerror(-ruleset));
	for (size_t i = 0; i < count; i++) {
		rc = *paths[i].path ? allow(ruleset, &paths[i], attributes.fs) : 0;
		if (rc)
			return error_set(err, rc, "Landlock: cannot allow %s: %s", paths[i].path,
					 strerror(-rc));
	}
	if (syscall(SYS_landlock_restrict_self, ruleset, 0) < 0)
		return error_set(err, -errno, "Landlock: cannot limit the process: %s",
				 strerror(errno));
	return 0;
}
