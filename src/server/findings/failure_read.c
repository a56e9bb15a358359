/* SPDX-License-Identifier: Apache-2.0 */
#include "server/findings/failure_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/map.h"
#include "server/query/query.h"
#include "server/query/run_rows.h"

#define TASKS_MAX  3000 /* as in failures.sql */
#define EVENTS_MAX 5000
#define OPENS_MAX  20000

DEFINE_CLEANUP(struct map *, map_free)

static size_t process_of(const struct failure_source *source, const struct store_rows *rows)
{
	return failure_processes_find(&source->processes, row_text(rows, "host_id"),
				      row_i64(rows, "pid"), row_i64(rows, "start_ns"));
}

static enum process_status status_of(const struct store_rows *rows)
{
	static const struct {
		const char *name;
		enum process_status status;
	} names[] = {
		{ "running", PROCESS_RUNNING }, { "queued", PROCESS_RUNNING },
		{ "failed", PROCESS_FAILED },   { "killed", PROCESS_KILLED },
		{ "lost", PROCESS_LOST },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(row_text(rows, "status"), names[i].name) == 0)
			return names[i].status;
	return PROCESS_SUCCEEDED;
}

static struct failure_run run_of(const struct store_rows *row)
{
	return (struct failure_run){
		.id = row_text(row, "id"),
		.name = row_text(row, "name"),
		.engine = row_text(row, "engine"),
		.user = row_text(row, "user"),
		.status = status_of(row),
		.exit_code = (int)row_i64(row, "exit_code"),
		.signal = (int)row_i64(row, "signal"),
		.uid = row_i64(row, "uid"),
		.root = PROCESS_NONE,
		.started_at = row_i64(row, "started_at"),
		.ended_at = row_i64(row, "ended_at"),
		.tasks = (size_t)row_i64(row, "tasks"),
		.last_task = row_text(row, "last_task"),
		.last_task_id = row_text(row, "last_task_id"),
		.last_task_ended_at = row_i64(row, "last_task_ended_at"),
		.tasks_failed = (size_t)row_i64(row, "tasks_failed"),
		.lost_records = (uint64_t)row_i64(row, "lost_records"),
		.inner_id = row_text(row, "inner_id"),
		.inner_name = row_text(row, "inner_name"),
		.inner_exit_code = (int)row_i64(row, "inner_exit_code"),
	};
}

static bool anything_failed(const struct failure_source *source)
{
	enum process_status status = source->facts.run.status;

	return source->facts.run.tasks_failed > 0 ||
	       row_i64(source->run_row, "processes_failed") > 0 ||
	       (status != PROCESS_SUCCEEDED && status != PROCESS_RUNNING);
}

static struct failure_task task_of(const struct store_rows *rows)
{
	return (struct failure_task){
		.id = row_text(rows, "id"),
		.step = row_text(rows, "step"),
		.name = row_text(rows, "name"),
		.sample = row_text(rows, "sample"),
		.host_id = row_text(rows, "host_id"),
		.status = status_of(rows),
		.exit_code = (int)row_i64(rows, "exit_code"),
		.signal = (int)row_i64(rows, "signal"),
		.attempt = (int)row_i64(rows, "attempt"),
		.root = PROCESS_NONE,
		.started_at = row_i64(rows, "started_at"),
		.ended_at = row_i64(rows, "ended_at"),
		.memory_requested_bytes = (uint64_t)row_i64(rows, "memory_requested_bytes"),
		.requested_by = row_text(rows, "requested_by"),
		.later_id = row_text(rows, "later_id"),
		.later_attempts = (int)row_i64(rows, "later_attempts"),
		.later_succeeded = row_bool(rows, "later_succeeded"),
		.host_gone = row_bool(rows, "host_gone"),
		.instance_type = row_text(rows, "instance_type"),
		.notice = row_text(rows, "notice"),
	};
}

/* numbers: of ids, 1 + the number of the task. */
static int read_tasks(struct failure_source *source, struct server *server, struct map *numbers,
		      struct error *err)
{
	const struct run_rows_query query = { "failure_tasks", TASKS_MAX, -1 };
	size_t count = 0;
	int rc = run_rows_ask(server, &query, source->facts.run.id, &source->task_rows, err);

	if (rc == 0 && !(source->tasks = calloc(TASKS_MAX, sizeof(*source->tasks))))
		rc = -ENOMEM;
	while (rc == 0 && count < TASKS_MAX && store_next(source->task_rows)) {
		const char *id = row_text(source->task_rows, "id");
		struct map_text_key key = map_text_key(id, strlen(id));

		source->tasks[count++] = task_of(source->task_rows);
		rc = map_put(numbers, &key, (void *)(uintptr_t)count);
	}
	source->facts.tasks = source->tasks;
	source->facts.task_count = count;
	return rc;
}

/* Where each task and the run begin. */
static void link_roots(struct failure_source *source)
{
	size_t count = 0;

	store_rewind(source->task_rows);
	while (count < source->facts.task_count && store_next(source->task_rows))
		source->tasks[count++].root = process_of(source, source->task_rows);
	source->facts.run.root = process_of(source, source->run_row);
}

static bool event_kind_of(const char *name, enum failure_event_kind *ret)
{
	static const char *const names[] = {
		[EVENT_KILLED] = "killed",           [EVENT_OOM_KILL] = "oom_kill",
		[EVENT_EXEC_FAILED] = "exec_failed", [EVENT_DISK_FULL] = "disk_full",
		[EVENT_IO_ERROR] = "io_error",       [EVENT_CONNECT_FAILED] = "connect_failed",
		[EVENT_ANSWERED] = "exit_failed",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0) {
			*ret = (enum failure_event_kind)i;
			return true;
		}
	return false;
}

static struct failure_event event_of(const struct failure_source *source,
				     const struct store_rows *rows)
{
	struct failure_event event = {
		.process = process_of(source, rows),
		.at = row_i64(rows, "happened_at"),
		.code = (int)row_i64(rows, "code"),
		.detail = row_text(rows, "detail"),
		.path = row_text(rows, "path"),
		.sender = row_text(rows, "sender"),
		.sender_pid = row_i64(rows, "sender_pid"),
		.sender_uid = row_i64(rows, "sender_uid"),
		.limit_bytes = (uint64_t)row_i64(rows, "limit_bytes"),
		.used_bytes = (uint64_t)row_i64(rows, "used_bytes"),
		.host_memory_bytes = (uint64_t)row_i64(rows, "host_memory_bytes"),
		.container = row_text(rows, "container"),
	};

	event.sender_process = failure_processes_alive(
		&source->processes, row_text(rows, "host_id"), event.sender_pid, event.at);
	return event;
}

/* What a process's own entry says of the events that struck it. */
static void mark(struct failure_source *source, const struct failure_event *event)
{
	struct tree_process *process = &source->processes.tree[event->process];

	if (event->kind == EVENT_OOM_KILL)
		process->oom_killed = true;
	else if (event->kind == EVENT_KILLED && event->sender_process != PROCESS_NONE)
		process->killed_by = event->sender_process + 1;
}

static int read_events(struct failure_source *source, struct server *server, struct error *err)
{
	const struct run_rows_query query = { "failure_events", EVENTS_MAX, -1 };
	size_t count = 0;
	int rc = run_rows_ask(server, &query, source->facts.run.id, &source->event_rows, err);

	if (rc == 0 && !(source->events = calloc(EVENTS_MAX, sizeof(*source->events))))
		rc = -ENOMEM;
	while (rc == 0 && count < EVENTS_MAX && store_next(source->event_rows)) {
		struct failure_event event = event_of(source, source->event_rows);

		if (event.process == PROCESS_NONE ||
		    !event_kind_of(row_text(source->event_rows, "kind"), &event.kind))
			continue;
		source->events[count++] = event;
		mark(source, &event);
	}
	source->facts.events = source->events;
	source->facts.event_count = count;
	return rc;
}

static int read_opens(struct failure_source *source, struct server *server, struct error *err)
{
	const struct run_rows_query query = { "failure_opens", OPENS_MAX, -1 };
	size_t count = 0;
	int rc = run_rows_ask(server, &query, source->facts.run.id, &source->open_rows, err);

	if (rc == 0 && !(source->opens = calloc(OPENS_MAX, sizeof(*source->opens))))
		rc = -ENOMEM;
	while (rc == 0 && count < OPENS_MAX && store_next(source->open_rows)) {
		const struct store_rows *rows = source->open_rows;
		size_t process = process_of(source, rows);

		if (process == PROCESS_NONE)
			continue;
		source->opens[count++] = (struct failed_open){
			.process = process,
			.path = row_text(rows, "path"),
			.error = (int)row_i64(rows, "error"),
			.last_at = row_i64(rows, "last_at"),
			.failures = (uint64_t)row_i64(rows, "failures"),
		};
		source->processes.facts[process].opened_at = row_i64(rows, "opened_at");
	}
	source->facts.opens = source->opens;
	source->facts.open_count = count;
	return rc;
}

static int read_all(struct failure_source *source, struct server *server, struct error *err)
{
	CLEANUP(map_freep) struct map *numbers = map_new_of_texts(TASKS_MAX);
	struct failure_facts *facts = &source->facts;
	int rc = numbers ? read_tasks(source, server, numbers, err) : -ENOMEM;

	if (rc == 0)
		rc = failure_processes_read(&source->processes, server, facts->run.id, numbers,
					    err);
	if (rc)
		return rc;
	link_roots(source);
	facts->processes = source->processes.tree;
	facts->process_facts = source->processes.facts;
	facts->process_count = source->processes.count;
	facts->complete = source->processes.complete;
	rc = read_events(source, server, err);
	return rc ? rc : read_opens(source, server, err);
}

int failure_read(struct server *server, const char *run, struct failure_source *ret, bool *ret_any,
		 struct error *err)
{
	const struct run_rows_query query = { "failure_run", 0, -1 };
	int rc = run_rows_ask(server, &query, run, &ret->run_row, err);

	if (rc)
		return rc;
	if (!store_next(ret->run_row))
		return error_set(err, -ENOENT, "the run is gone");
	ret->facts.run = run_of(ret->run_row);
	*ret_any = anything_failed(ret);
	return *ret_any ? read_all(ret, server, err) : 0;
}

void failure_source_clear(struct failure_source *source)
{
	failure_processes_clear(&source->processes);
	free(source->tasks);
	free(source->events);
	free(source->opens);
	store_rows_free(source->run_row);
	store_rows_free(source->task_rows);
	store_rows_free(source->event_rows);
	store_rows_free(source->open_rows);
}
