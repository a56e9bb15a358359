/* SPDX-License-Identifier: Apache-2.0 */
#include "server/findings/failure_processes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "server/query/process_key.h"
#include "server/query/run_rows.h"

#define ARGUMENTS_MAX 16
#define SEPARATOR     '\x1f' /* behind each argument in failure_processes.sql */

size_t failure_processes_find(const struct failure_processes *processes, const char *host_id,
			      int64_t pid, int64_t start_ns)
{
	struct process_key key = process_key(host_id, pid, start_ns);
	size_t number = processes->index ? (size_t)(uintptr_t)map_get(processes->index, &key) : 0;

	return number ? number - 1 : PROCESS_NONE;
}

/* The place in by_pid of the first process with that pid, or a higher one. */
static size_t first_of_pid(const struct failure_processes *processes, int64_t pid)
{
	size_t low = 0, high = processes->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (processes->facts[processes->by_pid[middle]].pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t failure_processes_alive(const struct failure_processes *processes, const char *host_id,
			       int64_t pid, int64_t at)
{
	if (pid <= 0)
		return PROCESS_NONE;
	for (size_t i = first_of_pid(processes, pid); i < processes->count; i++) {
		size_t number = processes->by_pid[i];
		const struct tree_process *process = &processes->tree[number];

		if (processes->facts[number].pid != pid)
			break;
		if (process->started_at <= at && (!process->ended_at || process->ended_at >= at) &&
		    strcmp(processes->facts[number].host_id, host_id) == 0)
			return number;
	}
	return PROCESS_NONE;
}

static int by_pid(const void *one_, const void *other_, void *facts_)
{
	const struct failure_process *facts = facts_;
	const size_t *one = one_, *other = other_;

	if (facts[*one].pid != facts[*other].pid)
		return facts[*one].pid < facts[*other].pid ? -1 : 1;
	return (*one > *other) - (*one < *other);
}

static int order_by_pid(struct failure_processes *processes)
{
	processes->by_pid = calloc(processes->count + 1, sizeof(*processes->by_pid));
	if (!processes->by_pid)
		return -ENOMEM;
	for (size_t i = 0; i < processes->count; i++)
		processes->by_pid[i] = i;
	qsort_r(processes->by_pid, processes->count, sizeof(*processes->by_pid), by_pid,
		processes->facts);
	return 0;
}

static enum process_status status_of(const char *status)
{
	static const struct {
		const char *name;
		enum process_status status;
	} names[] = {
		{ "running", PROCESS_RUNNING },
		{ "succeeded", PROCESS_SUCCEEDED },
		{ "failed", PROCESS_FAILED },
		{ "killed", PROCESS_KILLED },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(status, names[i].name) == 0)
			return names[i].status;
	return PROCESS_LOST;
}

/* The arguments with their texts behind them, in one block; *ret_count of them. NULL: no memory. */
static const char *const *split(const char *text, size_t *ret_count)
{
	size_t len = strlen(text), count = 0;
	const char **arguments = malloc(ARGUMENTS_MAX * sizeof(*arguments) + len + 1);
	char *copy;

	if (!arguments)
		return NULL;
	copy = memcpy(arguments + ARGUMENTS_MAX, text, len + 1);
	while (*copy && count < ARGUMENTS_MAX) {
		arguments[count++] = copy;
		copy += strcspn(copy, (char[]){ SEPARATOR, '\0' });
		if (*copy)
			*copy++ = '\0';
	}
	*ret_count = count;
	return arguments;
}

/* Pipes of several hosts may have the same number. */
static uint64_t pipe_on_host(uint64_t pipe, const char *host_id)
{
	struct map_text_key host = map_text_key(host_id, strlen(host_id));

	return pipe ? pipe ^ (host.words[0] << 32) : 0;
}

static int make_room(struct failure_processes *processes)
{
	size_t room = 2 * (processes->room + 128);
	void *tree, *facts, *arguments;

	if (processes->count < processes->room)
		return 0;
	tree = realloc(processes->tree, room * sizeof(*processes->tree));
	processes->tree = tree ? tree : processes->tree;
	facts = realloc(processes->facts, room * sizeof(*processes->facts));
	processes->facts = facts ? facts : processes->facts;
	arguments = realloc(processes->arguments, room * sizeof(*processes->arguments));
	processes->arguments = arguments ? arguments : processes->arguments;
	if (!tree || !facts || !arguments)
		return -ENOMEM;
	processes->room = room;
	return 0;
}

static size_t task_number(const struct map *tasks, const char *id)
{
	struct map_text_key key = map_text_key(id, strlen(id));

	return *id ? (size_t)(uintptr_t)map_get(tasks, &key) : NO_TASK;
}

static int take(struct failure_processes *processes, const struct store_rows *rows,
		const struct map *tasks)
{
	size_t number = processes->count, argc = 0;
	const char *host_id = row_text(rows, "host_id");
	int64_t pid = row_i64(rows, "pid"), start_ns = row_i64(rows, "start_ns");
	struct process_key key = process_key(host_id, pid, start_ns);
	const char *const *argv = split(row_text(rows, "argv"), &argc);

	if (!argv)
		return -ENOMEM;
	processes->arguments[number] = argv;
	processes->count++;
	processes->tree[number] = (struct tree_process){
		.parent = PROCESS_NONE,
		.task = task_number(tasks, row_text(rows, "task_id")),
		.tool = row_text(rows, "tool"),
		.kind = row_text(rows, "tool_kind"),
		.argv = argv,
		.argc = argc,
		.status = status_of(row_text(rows, "status")),
		.exit_code = (int)row_i64(rows, "exit_code"),
		.signal = (int)row_i64(rows, "signal"),
		.started_at = row_i64(rows, "started_at"),
		.ended_at = row_i64(rows, "ended_at"),
		.pipe_in = pipe_on_host((uint64_t)row_i64(rows, "pipe_in"), host_id),
		.pipe_out = pipe_on_host((uint64_t)row_i64(rows, "pipe_out"), host_id),
	};
	processes->facts[number] = (struct failure_process){
		.host_id = host_id,
		.pid = pid,
		.start_ns = start_ns,
		.rss_peak_bytes = (uint64_t)row_i64(rows, "rss_peak_bytes"),
	};
	return map_put(processes->index, &key, (void *)(uintptr_t)(number + 1));
}

/* Returns how many rows there were. */
static int read_page(struct failure_processes *processes, struct server *server, const char *run,
		     size_t page, const struct map *tasks, struct error *err)
{
	const struct run_rows_query query = { "failure_processes", FAILURE_PAGE_ROWS,
					      (int64_t)page * FAILURE_PAGE_ROWS };
	struct store_rows *rows;
	int rc = run_rows_ask(server, &query, run, &processes->pages[page], err), count = 0;

	rows = processes->pages[page];
	while (rc == 0 && store_next(rows)) {
		count++;
		rc = make_room(processes);
		if (rc == 0)
			rc = take(processes, rows, tasks);
	}
	return rc ? rc : count;
}

/* By its key, else the process of its pid at that time. */
static size_t parent_of(const struct failure_processes *processes, const struct store_rows *rows,
			int64_t started_at)
{
	const char *host_id = row_text(rows, "host_id");
	int64_t pid = row_i64(rows, "ppid"), start_ns = row_i64(rows, "parent_start_ns");

	if (start_ns > 0)
		return failure_processes_find(processes, host_id, pid, start_ns);
	return failure_processes_alive(processes, host_id, pid, started_at);
}

/* A parent may be in a later page than its child: once more over all rows. */
static void link_parents(struct failure_processes *processes)
{
	size_t number = 0;

	for (size_t page = 0; page < FAILURE_PAGES && processes->pages[page]; page++) {
		struct store_rows *rows = processes->pages[page];

		store_rewind(rows);
		while (store_next(rows)) {
			struct tree_process *process = &processes->tree[number++];

			process->parent = parent_of(processes, rows, process->started_at);
		}
	}
}

int failure_processes_read(struct failure_processes *ret, struct server *server, const char *run,
			   const struct map *tasks, struct error *err)
{
	int count = FAILURE_PAGE_ROWS;

	ret->index = map_new(sizeof(struct process_key), FAILURE_PAGES * FAILURE_PAGE_ROWS);
	if (!ret->index)
		return -ENOMEM;
	for (size_t page = 0; page < FAILURE_PAGES && count == FAILURE_PAGE_ROWS; page++) {
		count = read_page(ret, server, run, page, tasks, err);
		if (count < 0)
			return count;
	}
	ret->complete = count < FAILURE_PAGE_ROWS;
	if (order_by_pid(ret))
		return -ENOMEM;
	link_parents(ret);
	return 0;
}

void failure_processes_clear(struct failure_processes *processes)
{
	for (size_t i = 0; i < processes->count; i++)
		free((void *)(uintptr_t)processes->arguments[i]);
	for (size_t page = 0; page < FAILURE_PAGES; page++)
		store_rows_free(processes->pages[page]);
	free(processes->arguments);
	free(processes->tree);
	free(processes->facts);
	free(processes->by_pid);
	map_free(processes->index);
}
