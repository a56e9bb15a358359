/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "fuse_server.h"

#define FILE_ID      2 /* the folder is FUSE_ROOT_ID */
#define REQUEST_SIZE (1 << 17)

/* Memory shared by the test and its server. */
struct orders {
	volatile uint32_t opcode, ms;
	volatile uint64_t kept_ns;
	volatile pid_t kept_pid;
	volatile uint32_t refused;
	volatile int error;
};

struct fuse_server {
	char at[4096];
	struct orders *orders;
	pid_t pid;
};

/* The answer after its head. */
struct answer {
	int error; /* negative, as in FUSE */
	bool none;
	size_t size;
	union {
		struct fuse_init_out init;
		struct fuse_entry_out entry;
		struct fuse_attr_out attr;
		struct fuse_open_out open;
		struct fuse_statfs_out statfs;
		struct fuse_write_out write;
		struct {
			struct fuse_dirent dirent;
			char name[8];
		};
		char bytes[FUSE_SERVER_FILE_SIZE];
	};
};

static struct fuse_attr attr_of(uint64_t id)
{
	bool is_file = id == FILE_ID;

	return (struct fuse_attr){ .ino = id,
				   .nlink = 1,
				   .mode = is_file ? S_IFREG | 0644 : S_IFDIR | 0755,
				   .size = is_file ? FUSE_SERVER_FILE_SIZE : 0,
				   .blksize = 4096 };
}

static void answer_lookup(struct answer *answer, const char *name)
{
	if (strcmp(name, "file") != 0) {
		answer->error = -ENOENT;
		return;
	}
	answer->size = sizeof(answer->entry);
	answer->entry.nodeid = FILE_ID;
	answer->entry.attr = attr_of(FILE_ID);
}

static void answer_read(struct answer *answer, const struct fuse_read_in *read)
{
	if (read->offset < FUSE_SERVER_FILE_SIZE)
		answer->size = FUSE_SERVER_FILE_SIZE - read->offset;
	if (answer->size > read->size)
		answer->size = read->size;
}

static void answer_readdir(struct answer *answer, const struct fuse_read_in *read)
{
	if (read->offset)
		return;
	answer->size = FUSE_DIRENT_ALIGN(FUSE_NAME_OFFSET + strlen("file"));
	answer->dirent = (struct fuse_dirent){
		.ino = FILE_ID, .off = 1, .namelen = strlen("file"), .type = S_IFREG >> 12
	};
	memcpy(answer->dirent.name, "file", strlen("file"));
}

static void answer_of(struct answer *answer, const struct fuse_in_header *head, const void *body)
{
	switch (head->opcode) {
	case FUSE_INIT:
		answer->size = sizeof(answer->init);
		answer->init.major = FUSE_KERNEL_VERSION;
		answer->init.minor = 31;
		answer->init.max_write = 4096;
		break;
	case FUSE_LOOKUP:
		answer_lookup(answer, body);
		break;
	case FUSE_GETATTR:
	case FUSE_SETATTR:
		answer->size = sizeof(answer->attr);
		answer->attr.attr = attr_of(head->nodeid);
		break;
	case FUSE_OPEN:
	case FUSE_OPENDIR:
		answer->size = sizeof(answer->open);
		break;
	case FUSE_READ:
		answer_read(answer, body);
		break;
	case FUSE_WRITE:
		answer->size = sizeof(answer->write);
		answer->write.size = ((const struct fuse_write_in *)body)->size;
		break;
	case FUSE_READDIR:
		answer_readdir(answer, body);
		break;
	case FUSE_STATFS:
		answer->size = sizeof(answer->statfs);
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		answer->none = true;
		break;
	case FUSE_FLUSH:
	case FUSE_FSYNC:
	case FUSE_FSYNCDIR:
	case FUSE_RELEASE:
	case FUSE_RELEASEDIR:
	case FUSE_UNLINK:
		break;
	default:
		answer->error = -ENOSYS;
	}
}

/* Whether the caller has left its CPU to wait for its answer. Its state in /proc/PID/stat does not
 * say so: a thread that is preempted just before it would sleep has the state of a sleeper already,
 * and may get no CPU until its answer is there. The kernel names where a thread waits only if it is
 * on no run queue (fs/proc/base.c, proc_pid_wchan); else it writes 0. */
static bool is_asleep(pid_t pid)
{
	CLEANUP(fclosep) FILE *file = NULL;
	char path[32], name[64] = "";

	snprintf(path, sizeof(path), "/proc/%d/wchan", pid);
	file = fopen(path, "re");
	return !file || fscanf(file, "%63s", name) != 1 || strcmp(name, "0") != 0;
}

/* Holds back the answer from when the caller waits. */
static void keep(struct orders *orders, uint32_t opcode, pid_t caller)
{
	uint64_t from_ns;

	if (orders->opcode != opcode)
		return;
	orders->opcode = 0;
	while (!is_asleep(caller))
		nanosleep(&(struct timespec){ .tv_nsec = (long)NS_PER_MS }, NULL);
	from_ns = clock_boot_ns();
	nanosleep(&(struct timespec){ .tv_nsec = (long)orders->ms * (long)NS_PER_MS }, NULL);
	orders->kept_pid = caller;
	orders->kept_ns = clock_boot_ns() - from_ns;
}

/* Answers requests until the file system is unmounted. */
static void serve(int fd, struct orders *orders)
{
	static _Alignas(8) char request[REQUEST_SIZE];
	const struct fuse_in_header *in = (const void *)request;
	static struct answer answer;

	for (;;) {
		struct fuse_out_header out = { .len = sizeof(out) };
		struct iovec parts[] = { { &out, sizeof(out) }, { answer.bytes, 0 } };
		ssize_t n = read(fd, request, sizeof(request) - 1);

		if (n < (ssize_t)sizeof(*in) && errno == ENOENT)
			continue; /* it was taken back */
		if (n < (ssize_t)sizeof(*in))
			return;
		request[n] = 0;
		memset(&answer, 0, sizeof(answer));
		answer_of(&answer, in, in + 1);
		if (orders->refused == in->opcode)
			answer = (struct answer){ .error = -orders->error };
		keep(orders, in->opcode, (pid_t)in->pid);
		out.unique = in->unique;
		out.error = answer.error;
		out.len += answer.size;
		parts[1].iov_len = answer.size;
		if (!answer.none && writev(fd, parts, 2) < 0 && errno != ENOENT)
			return;
	}
}

struct fuse_server *fuse_server_new(const char *at)
{
	struct fuse_server *server = calloc(1, sizeof(*server));
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	char options[128];

	assert_non_null(server);
	if (fd < 0)
		fail_msg("/dev/fuse: %s", strerror(errno));
	snprintf(server->at, sizeof(server->at), "%s", at);
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", fd);
	if (mount("test", at, "fuse.test", MS_NOSUID | MS_NODEV, options))
		fail_msg("mount of FUSE: %s", strerror(errno));
	server->orders = mmap(NULL, sizeof(*server->orders), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(server->orders != MAP_FAILED);
	server->pid = fork();
	assert_true(server->pid >= 0);
	if (server->pid == 0) {
		serve(fd, server->orders);
		_exit(0);
	}
	close(fd);
	return server;
}

void fuse_server_free(struct fuse_server *server)
{
	if (!server)
		return;
	umount2(server->at, MNT_DETACH);
	kill(server->pid, SIGKILL);
	waitpid(server->pid, NULL, 0);
	munmap(server->orders, sizeof(*server->orders));
	free(server);
}

void fuse_server_delay(struct fuse_server *server, uint32_t opcode, uint32_t ms)
{
	server->orders->ms = ms;
	server->orders->kept_ns = 0;
	server->orders->opcode = opcode;
}

uint64_t fuse_server_kept_ns(const struct fuse_server *server)
{
	return server->orders->kept_ns;
}

pid_t fuse_server_kept_pid(const struct fuse_server *server)
{
	return server->orders->kept_pid;
}

void fuse_server_refuse(struct fuse_server *server, uint32_t opcode, int error)
{
	server->orders->error = error;
	server->orders->refused = opcode;
}
