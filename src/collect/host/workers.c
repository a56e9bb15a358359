/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/host/workers.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/text.h"

#define PROCESSES_MAX 65536 /* looked at */
#define COMM_SIZE     32
#define TEXT_SIZE     4096
#define NODE_SIZE     128

/* The daemons. comm: the name of its process, at most 15 bytes of it; word: an argument that it
 * must have (of programs that do other things, too); option: before the name of the node; file,
 * key: where a line "KEY=VALUE" has it. */
struct daemon {
	const char *comm, *name, *word, *option, *file, *key;
};

static const struct daemon DAEMONS[] = {
	{ .comm = "slurmd", .name = "slurmd", .option = "-N" },
	{ .comm = "kubelet", .name = "kubelet", .option = "--hostname-override" },
	{ .comm = "amazon-ecs-init",
	  .name = "ecs-agent",
	  .file = "/etc/ecs/ecs.config",
	  .key = "ECS_CLUSTER=" },
	{ .comm = "pbs_mom", .name = "pbs_mom" },
	{ .comm = "sge_execd", .name = "sge_execd" },
	{ .comm = "condor_startd", .name = "condor_startd" },
	{ .comm = "sbatchd", .name = "sbatchd" },
	{ .comm = "nomad", .name = "nomad", .word = "agent" },
	{ .comm = "celery", .name = "celery", .word = "worker" },
	{ .comm = "dask", .name = "dask", .word = "worker" },
	{ .comm = "dask-worker", .name = "dask" },
};

#define DAEMONS_COUNT (sizeof(DAEMONS) / sizeof(DAEMONS[0]))

struct found {
	const struct daemon *daemon;
	char node[NODE_SIZE];
};

struct search {
	struct found found[WORKERS_MAX];
	size_t count;
};

/* The first bytes of a file, with a NUL; how many. */
static size_t read_text(int folder, const char *path, char *text, size_t size)
{
	CLEANUP(closep) int fd = openat(folder, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t len = fd < 0 ? -1 : read(fd, text, size - 1);

	len = len < 0 ? 0 : len;
	text[len] = '\0';
	return (size_t)len;
}

static const struct daemon *daemon_of(const char *comm)
{
	for (size_t i = 0; i < DAEMONS_COUNT; i++)
		if (strcmp(DAEMONS[i].comm, comm) == 0)
			return &DAEMONS[i];
	return NULL;
}

/* What names a node, and nothing else, is taken. */
static void take_node(char *ret, const char *text)
{
	size_t len = 0;

	while (text[len] && (text_is_alnum(text[len]) || strchr("-_.", text[len])))
		len++;
	if (len && len < NODE_SIZE && (!text[len] || strchr("\n\r\"' ", text[len])))
		text_cut(text, len, ret, NODE_SIZE);
}

/* The value of an option: "-N a", "-Na", "--name a", "--name=a". */
static const char *value_of(const char *argument, const char *next, const char *option)
{
	size_t len = strlen(option);

	if (strncmp(argument, option, len) != 0)
		return NULL;
	if (!argument[len])
		return next;
	if (argument[len] == '=')
		return argument + len + 1;
	return option[1] == '-' ? NULL : argument + len;
}

/* Whether the arguments are those of the daemon; takes its node from them. */
static bool read_arguments(const struct daemon *daemon, const char *text, size_t len, char *node)
{
	bool has_word = !daemon->word;

	for (size_t at = 0; at < len; at += strlen(text + at) + 1) {
		size_t after = at + strlen(text + at) + 1;
		const char *value = daemon->option
					    ? value_of(text + at, after < len ? text + after : NULL,
						       daemon->option)
					    : NULL;

		if (at > 0 && value && !*node)
			take_node(node, value);
		has_word |= at > 0 && daemon->word && strcmp(text + at, daemon->word) == 0;
	}
	return has_word;
}

static void read_file(const struct daemon *daemon, const char *root, char *node)
{
	char path[PATH_MAX], text[TEXT_SIZE];
	size_t len = strlen(daemon->key);

	if (snprintf(path, sizeof(path), "%s%s", root, daemon->file) >= (int)sizeof(path))
		return;
	(void)read_text(AT_FDCWD, path, text, sizeof(text));
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, daemon->key, len) == 0)
			take_node(node, line + len + (line[len] == '"'));
	}
}

static void add(struct search *search, const struct found *found)
{
	for (size_t i = 0; i < search->count; i++)
		if (strcmp(search->found[i].daemon->name, found->daemon->name) == 0 &&
		    strcmp(search->found[i].node, found->node) == 0)
			return;
	if (search->count < WORKERS_MAX)
		search->found[search->count++] = *found;
}

static void look(int proc, const char *pid, const char *root, struct search *search)
{
	char path[NAME_MAX + 16], comm[COMM_SIZE], text[TEXT_SIZE];
	struct found found = { .node = "" };
	size_t len;

	if (snprintf(path, sizeof(path), "%s/comm", pid) >= (int)sizeof(path))
		return;
	(void)read_text(proc, path, comm, sizeof(comm));
	comm[strcspn(comm, "\n")] = '\0';
	found.daemon = daemon_of(comm);
	if (!found.daemon)
		return;
	(void)snprintf(path, sizeof(path), "%s/cmdline", pid);
	len = read_text(proc, path, text, sizeof(text));
	if (!read_arguments(found.daemon, text, len, found.node))
		return;
	if (found.daemon->file)
		read_file(found.daemon, root, found.node);
	add(search, &found);
}

static int by_daemon(const void *a, const void *b)
{
	const struct found *one = a, *other = b;

	if (one->daemon != other->daemon)
		return one->daemon < other->daemon ? -1 : 1;
	return strcmp(one->node, other->node);
}

static void write_names(struct search *search, struct workers *ret)
{
	qsort(search->found, search->count, sizeof(search->found[0]), by_daemon);
	ret->count = search->count;
	for (size_t i = 0; i < search->count; i++) {
		const struct found *found = &search->found[i];

		(void)snprintf(ret->names[i], WORKER_SIZE, "%s%s%s", found->daemon->name,
			       *found->node ? " " : "", found->node);
		ret->list[i] = ret->names[i];
	}
}

void workers_find(struct workers *ret, const char *root)
{
	struct search search = { .count = 0 };
	char path[PATH_MAX];
	DIR *proc;

	ret->count = 0;
	if (snprintf(path, sizeof(path), "%s/proc", root) >= (int)sizeof(path))
		return;
	proc = opendir(path);
	if (!proc)
		return;
	for (size_t i = 0; i < PROCESSES_MAX; i++) {
		const struct dirent *entry = readdir(proc);

		if (!entry)
			break;
		if (*entry->d_name >= '1' && *entry->d_name <= '9')
			look(dirfd(proc), entry->d_name, root, &search);
	}
	closedir(proc);
	write_names(&search, ret);
}
