/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attempt WHAT FOLDER: confines itself to FOLDER as the lake does, and then tries to leave. Exit
 * status 0: it could; else the errno that refused it; a signal: the kernel ended it. Built without
 * sanitizers, which need more of the kernel (server/confine/sanitizer.h).
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/host/capabilities.h"
#include "server/confine/confine.h"

/* Opened before the process was confined, as the lake's listener is. */
static int listener;

static int result(int value)
{
	return value < 0 ? errno : 0;
}

static int read_shadow(void)
{
	return result(open("/etc/shadow", O_RDONLY));
}

static int write_outside(void)
{
	return result(open("../outside", O_WRONLY | O_CREAT, 0600));
}

/* By its path, which an old Landlock does not know. */
static int truncate_outside(void)
{
	return result(truncate("../0/inside", 0));
}

static int follow_link(void)
{
	return result(open("link", O_RDONLY));
}

static int rename_out(void)
{
	return result(rename("inside", "../outside"));
}

static int make_link(void)
{
	return result(symlink("/etc/shadow", "another"));
}

static int make_device(void)
{
	return result(mknod("disk", S_IFBLK | 0600, 0x800));
}

static int write_inside(void)
{
	int fd = open("new", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, "x", 1) != 1 || fsync(fd) < 0 || rename("new", "inside") < 0)
		return errno;
	return result(unlink("inside"));
}

static int execute(void)
{
	return result(execl("/bin/true", "true", NULL));
}

static int trace(void)
{
	return result((int)ptrace(PTRACE_TRACEME, 0, NULL, NULL));
}

static int make_process(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	return result(child);
}

static int open_tcp(void)
{
	return result(socket(AF_INET, SOCK_STREAM, 0));
}

static int send_packets(void)
{
	return result(socket(AF_NETLINK, SOCK_RAW, 0));
}

/* By a socket that was open before. */
static int connect_tcp(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_port = htons(1),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

	return result(connect(listener, (struct sockaddr *)&address, sizeof(address)));
}

/* Landlock would let it bind to no port; the filter lets it listen to none. */
static int listen_tcp(void)
{
	return result(listen(listener, 1));
}

static int read_packets(void)
{
	return result(socket(AF_PACKET, SOCK_RAW, 0));
}

static int connect_unix(void)
{
	return result(socket(AF_UNIX, SOCK_STREAM, 0));
}

static int become_another_user(void)
{
	return result(setuid(0));
}

static int signal_another(void)
{
	return result(kill(getppid(), SIGCONT));
}

static int mount_over(void)
{
	return result(mount("none", ".", "tmpfs", 0, NULL));
}

static int make_name_space(void)
{
	return result(unshare(CLONE_NEWUSER));
}

static void *nothing(void *context)
{
	return context;
}

/* The lake's own: threads, facts about its control group. */
static int work(void)
{
	pthread_t thread;
	int rc = pthread_create(&thread, NULL, nothing, NULL);
	if (rc || pthread_join(thread, NULL))
		return rc;
	return result(open("/proc/self/cgroup", O_RDONLY));
}

static int read_inside(void)
{
	return result(open("inside", O_RDONLY));
}

/* As a listing that may read another file of the same folder. */
static int read_beside(void)
{
	static const struct landlock_path paths[] = { { "credentials", false } };
	struct error err = { "" };

	return confine_listing(paths, 1, &err) ? 201 : read_inside();
}

static const struct {
	const char *name;
	int (*try)(void);
	/* LANDLOCK: by Landlock alone, where seccomp refuses it, too; LISTER, LISTING: as who lists
	 * accounts, and as a copy of it. */
	enum { LAKE, LANDLOCK, LISTER, LISTING } as;
} ATTEMPTS[] = {
	{ "read_shadow", read_shadow, LAKE },
	{ "write_outside", write_outside, LAKE },
	{ "truncate_outside", truncate_outside, LAKE },
	{ "follow_link", follow_link, LAKE },
	{ "rename_out", rename_out, LAKE },
	{ "make_link", make_link, LAKE },
	{ "make_device", make_device, LAKE },
	{ "write_inside", write_inside, LAKE },
	{ "execute", execute, LAKE },
	{ "trace", trace, LAKE },
	{ "make_process", make_process, LAKE },
	{ "open_tcp", open_tcp, LAKE },
	{ "send_packets", send_packets, LAKE },
	{ "connect_tcp", connect_tcp, LAKE },
	{ "connect_tcp_landlock", connect_tcp, LANDLOCK },
	{ "connect_unix", connect_unix, LAKE },
	{ "make_link_landlock", make_link, LANDLOCK },
	{ "become_another_user", become_another_user, LAKE },
	{ "signal_another", signal_another, LAKE },
	{ "mount_over", mount_over, LAKE },
	{ "make_name_space", make_name_space, LAKE },
	{ "work", work, LAKE },
	{ "lister_reads_shadow", read_shadow, LISTER },
	{ "lister_writes", write_inside, LISTER },
	{ "lister_opens_tcp", open_tcp, LISTER },
	{ "lister_connects", connect_tcp, LISTER },
	{ "lister_listens", listen_tcp, LISTER },
	{ "lister_reads_packets", read_packets, LISTER },
	{ "lister_copies_itself", make_process, LISTER },
	{ "lister_executes", execute, LISTER },
	{ "lister_works", work, LISTER },
	{ "listing_reads", read_inside, LISTING },
	{ "listing_reads_beside", read_beside, LISTER },
	{ "listing_connects", connect_tcp, LISTING },
	{ "listing_copies_itself", make_process, LISTING },
	{ "listing_signals", signal_another, LISTING },
	{ "listing_executes", execute, LISTING },
	{ "listing_works", work, LISTING },
};

static int by_landlock(const struct landlock_path *paths, struct error *err)
{
	int abi, rc = capabilities_keep(NULL, 0, err);

	return rc ? rc : landlock_restrict(paths, 1, LANDLOCK_TCP_NONE, &abi, err);
}

static int confine(const char *folder, int as)
{
	const struct landlock_path writable[] = { { folder, true } };
	const struct landlock_path readable[] = { { folder, false } };
	struct error err = { "" };
	int rc = 0;

	if (as == LAKE)
		rc = confine_process(writable, 1, &err);
	else if (as == LANDLOCK)
		rc = by_landlock(writable, &err);
	else
		rc = confine_lister(readable, 1, &err);
	if (rc == 0 && as == LISTING)
		rc = confine_listing(readable, 1, &err);
	if (rc)
		fprintf(stderr, "%s\n", error_text(&err));
	return rc;
}

int main(int argc, char **argv)
{
	if (argc != 3 || chdir(argv[2]) < 0)
		return 200;
	listener = socket(AF_INET, SOCK_STREAM, 0);
	for (size_t i = 0; i < sizeof(ATTEMPTS) / sizeof(ATTEMPTS[0]); i++) {
		if (strcmp(ATTEMPTS[i].name, argv[1]) != 0)
			continue;
		return confine(argv[2], ATTEMPTS[i].as) ? 201 : ATTEMPTS[i].try();
	}
	return 202;
}
