/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/output/failure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "collect/output/failure_words.h"
#include "collect/output/record.h"
#include "collect/cgroup/cgroup.h"
#include "collect/process/listener.h"
#include "collect/process/process_table.h"
#include "signal/redact/redact.h"

#define CODE_NOT_RUN   126 /* what shells give a command that cannot be run, */
#define CODE_NOT_FOUND 127 /* and one that is not found */
#define CODE_SIGNAL    128 /* and a signal that ended their command, or that they answered */

/* NULL: not in the table, or no memory. */
static struct failure *failure_of(const struct failures *failures, const struct probe_key *key)
{
	struct process *process = process_table_get(failures->processes, key);

	if (!process)
		return NULL;
	if (!process->failure)
		process->failure = calloc(1, sizeof(*process->failure));
	return process->failure;
}

void failure_kill(const struct failures *failures, const struct probe_kill *kill)
{
	struct failure *failure = failure_of(failures, &kill->key);

	if (!failure)
		return;
	failure->kill = *kill;
	(void)redact_copy(kill->sender_comm, failure->comm, sizeof(failure->comm));
	failure->kill.sender_comm = failure->comm;
}

/* A path may hold what an argument may. */
void failure_attempt(const struct failures *failures, const struct probe_attempt *attempt)
{
	struct failure *failure = failure_of(failures, &attempt->key);

	if (!failure)
		return;
	failure->attempt = *attempt;
	(void)redact_copy(attempt->path, failure->path, sizeof(failure->path));
	failure->attempt.path = failure->path;
}

static bool is_shells_word(const struct process *process)
{
	return !process->signal &&
	       (process->exit_code == CODE_NOT_RUN || process->exit_code == CODE_NOT_FOUND);
}

/* What was tried in vain matters where nothing better came of it. A shell that is refused a script
 * runs it itself: then the script's end is its own. */
static bool exec_failed(const struct process *process)
{
	const struct failure *failure = process->failure;

	if (!failure || !failure->attempt.error)
		return !process->executed && is_shells_word(process);
	if (is_shells_word(process))
		return true;
	return !process->executed && failure->attempt.error != ENOEXEC &&
	       (process->exit_code || process->signal);
}

/* The path of the full cgroup: an ancestor, `level` folders deep, of the cgroup of the process; "":
 * not known. */
static void cgroup_path(const struct failures *failures, const struct process *process,
			uint32_t level, char path[FAILURE_PATH])
{
	const struct cgroup *cgroup;
	const char *end;
	char full[FAILURE_PATH];

	path[0] = '\0';
	cgroup = cgroups_find(failures->cgroups, process->cgroup_id);
	if (!cgroup || cgroup->path[0] != '/')
		return;
	for (end = cgroup->path; level && *end; level--)
		end += strcspn(end + 1, "/") + 1;
	(void)snprintf(full, sizeof(full), "%.*s",
		       end > cgroup->path ? (int)(end - cgroup->path) : 1, cgroup->path);
	(void)redact_copy(full, path, FAILURE_PATH);
}

static void fill_sender(const struct failures *failures, const struct probe_kill *kill,
			bool by_kernel, struct failure_event *event)
{
	const struct process *sender = process_table_get(failures->processes, &kill->sender);
	const char *tool = sender ? image_tool(sender->image) : "";

	if (by_kernel) {
		event->sender = "kernel";
		return;
	}
	event->sender_pid = kill->sender.pid;
	event->sender_uid = kill->sender_uid;
	event->sender = *tool ? tool : kill->sender_comm;
}

static void fill_kill(const struct failures *failures, const struct process *process,
		      struct failure_event *event)
{
	const struct failure *failure = process->failure;

	event->kind = "killed";
	event->code = process->signal;
	if (!failure || failure->kill.signal != process->signal) {
		failure_words_signal(process, NULL, event);
		return;
	}
	fill_sender(failures, &failure->kill, failure->kill.code > 0 && !failure->kill.oom, event);
	if (!failure->kill.oom) {
		failure_words_signal(process, &failure->kill, event);
		return;
	}
	event->kind = "oom_kill";
	event->limit_bytes = failure->kill.limit_bytes;
	event->used_bytes = failure->kill.used_bytes;
	if (event->limit_bytes)
		cgroup_path(failures, process, failure->kill.limit_level, event->path);
	failure_words_oom(process, &failure->kill, event);
}

/* A process may answer a signal by ending with 128 + it. */
static void fill_exit(const struct failures *failures, const struct process *process,
		      struct failure_event *event)
{
	const struct failure *failure = process->failure;

	event->kind = "exit_failed";
	event->code = process->exit_code;
	if (!failure || !failure->kill.signal ||
	    failure->kill.signal + CODE_SIGNAL != process->exit_code) {
		failure_words_exit(process, NULL, event);
		return;
	}
	fill_sender(failures, &failure->kill, failure->kill.code > 0, event);
	failure_words_exit(process, &failure->kill, event);
}

static void fill_exec(const struct process *process, struct failure_event *event)
{
	const struct failure *failure = process->failure;
	const struct probe_attempt *attempt =
		failure && failure->attempt.error ? &failure->attempt : NULL;

	event->kind = "exec_failed";
	event->code = attempt ? attempt->error : 0;
	(void)snprintf(event->path, sizeof(event->path), "%s", attempt ? attempt->path : "");
	failure_words_exec(process, attempt, event);
}

static void send(const struct failures *failures, const struct process *process,
		 struct failure_event *event)
{
	Signal__Event record = SIGNAL__EVENT__INIT;
	char summary[2048], name[256], duration[64];

	(void)snprintf(
		summary, sizeof(summary), "%s %s after %s%s",
		failure_words_process(process, name, sizeof(name)), event->words,
		text_duration(process->ended_ns - process->image_at_ns, duration, sizeof(duration)),
		event->cause);
	record.happened_at = process_ended_at(process);
	record.kind = (char *)(uintptr_t)event->kind;
	record.summary = summary;
	record.sender_pid = event->sender_pid;
	record.sender_uid = event->sender_uid;
	record.sender = (char *)(uintptr_t)(event->sender ? event->sender : "");
	record.code = event->code;
	record.detail = event->detail;
	record.path = event->path;
	record.limit_bytes = event->limit_bytes;
	record.used_bytes = event->used_bytes;
	record_process_event(failures->recorder, process, &record);
}

static void send_event(const struct failures *failures, const struct process *process)
{
	struct failure_event event = { 0 };

	if (!*attribution_run_id(&process->attribution))
		return;
	if (exec_failed(process)) {
		fill_exec(process, &event);
		send(failures, process, &event);
		if (!process->signal)
			return;
		event = (struct failure_event){ 0 };
	}
	if (process->signal) {
		fill_kill(failures, process, &event);
	} else if (process->executed && process->exit_code) {
		fill_exit(failures, process, &event);
	} else {
		return;
	}
	send(failures, process, &event);
}

static void on_end(void *context, struct process *process, enum process_end end)
{
	if (end == PROCESS_EXITED)
		send_event(context, process);
	if (end == PROCESS_EXITED || end == PROCESS_LEFT)
		free(TAKE_PTR(process->failure));
}

const struct listener failure_listener = { .end = on_end };
