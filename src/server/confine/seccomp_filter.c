/* SPDX-License-Identifier: Apache-2.0 */
#include "server/confine/seccomp_filter.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "server/confine/sanitizer.h"
#include "server/confine/syscall_table.h"

DEFINE_CLEANUP(scmp_filter_ctx, seccomp_release)

/* Flags of clone(2) that make a name space (CLONE_NEWTIME is clone3's alone). */
#define CLONE_SPACES                                                                   \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | \
	 CLONE_NEWPID | CLONE_NEWNET)

static uint32_t action_of(enum syscall_rule rule)
{
	switch (rule) {
	case SYSCALL_ALLOWED:
		return SCMP_ACT_ALLOW;
	case SYSCALL_SANITIZER:
		return CONFINE_SANITIZED ? SCMP_ACT_ALLOW : SCMP_ACT_KILL_PROCESS;
	case SYSCALL_ABSENT:
		return SCMP_ACT_ERRNO(ENOSYS);
	case SYSCALL_DEADLY:
		break;
	}
	return SCMP_ACT_KILL_PROCESS;
}

/* libcurl and the C library's look-up of names, seen by strace(1): a socket of a name service, of
 * the kernel's addresses; and of who starts copies of itself. */
static const struct {
	const char *name;
	unsigned extra;
} EXTRA[] = {
	{ "connect", SECCOMP_NETWORK },
	{ "bind", SECCOMP_NETWORK },
	{ "socketpair", SECCOMP_NETWORK },
	{ "fork", SECCOMP_PROCESSES },
	{ "vfork", SECCOMP_PROCESSES },
	{ "wait4", SECCOMP_PROCESSES },
	{ "waitid", SECCOMP_PROCESSES },
	{ "kill", SECCOMP_PROCESSES },
	{ "seccomp", SECCOMP_PROCESSES },
	{ "landlock_create_ruleset", SECCOMP_PROCESSES },
	{ "landlock_add_rule", SECCOMP_PROCESSES },
	{ "landlock_restrict_self", SECCOMP_PROCESSES },
};
#define EXTRA_COUNT (sizeof(EXTRA) / sizeof(EXTRA[0]))

static bool is_extra(const char *name, unsigned extra)
{
	for (size_t i = 0; i < EXTRA_COUNT; i++)
		if (EXTRA[i].extra & extra && strcmp(EXTRA[i].name, name) == 0)
			return true;
	return false;
}

static int add_extra(scmp_filter_ctx filter, unsigned extra)
{
	static const uint64_t families[] = { AF_INET, AF_INET6, AF_UNIX, AF_NETLINK };
	int rc = 0;

	for (size_t i = 0; i < EXTRA_COUNT && rc == 0; i++) {
		int number = seccomp_syscall_resolve_name(EXTRA[i].name);

		if (number >= 0 && EXTRA[i].extra & extra)
			rc = seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 0);
	}
	for (size_t i = 0; extra & SECCOMP_NETWORK && i < 4 && rc == 0; i++)
		rc = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(socket), 1,
				      SCMP_A0(SCMP_CMP_EQ, families[i], 0));
	return rc;
}

static int add_table(scmp_filter_ctx filter, unsigned extra)
{
	int rc = 0;

	for (size_t i = 0; i < SYSCALLS_COUNT && rc == 0; i++) {
		int number = seccomp_syscall_resolve_name(SYSCALLS[i].name);

		/* A negative number: another architecture's, or a newer one than the library's. */
		if (number >= 0 && !is_extra(SYSCALLS[i].name, extra))
			rc = seccomp_rule_add(filter, action_of(SYSCALLS[i].rule), number, 0);
	}
	return rc;
}

/* Threads, but no processes (but for a sanitizer, or who starts copies of itself) and no name
 * spaces. */
static int add_clone(scmp_filter_ctx filter, unsigned extra)
{
	const uint64_t thread = CONFINE_SANITIZED || extra & SECCOMP_PROCESSES ? 0 : CLONE_THREAD;

	return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
				SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_SPACES | thread, thread));
}

int seccomp_filter_load(unsigned extra, struct error *err)
{
	CLEANUP(seccomp_releasep) scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int rc = filter ? 0 : -ENOMEM;

	/* The threads that there are get it, too: with a sanitizer there may be one. */
	if (rc == 0)
		rc = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
	/* A call by the numbers of another architecture (32 bits, x32) ends the process. */
	if (rc == 0)
		rc = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	if (rc == 0)
		rc = add_table(filter, extra);
	if (rc == 0)
		rc = add_extra(filter, extra);
	if (rc == 0)
		rc = add_clone(filter, extra);
	if (rc)
		return error_set(err, rc, "seccomp: cannot make the filter: %s", strerror(-rc));
	rc = seccomp_load(filter);
	if (rc == -EINVAL || rc == -ENOSYS || rc == -EOPNOTSUPP)
		return -ENOSYS;
	return rc ? error_set(err, rc, "seccomp: cannot load the filter: %s", strerror(-rc)) : 0;
}
