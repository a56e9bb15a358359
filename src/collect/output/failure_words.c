/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/output/failure_words.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const char *signal_name(int number, char text[24])
{
	const char *name = sigabbrev_np(number);

	if (name)
		(void)snprintf(text, 24, "SIG%s", name);
	else
		(void)snprintf(text, 24, "SIGRTMIN%+d", number - SIGRTMIN);
	return text;
}

const char *failure_words_process(const struct process *process, char *text, size_t size)
{
	const char *tool = image_tool(process->image), *step, *sample;

	attribution_task_words(&process->attribution, &step, &sample);
	(void)snprintf(text, size, "%.80s (pid %" PRIu32 "%s%.60s%s%.60s)",
		       *tool ? tool : "a process", process->key.pid, *step ? ", task " : "", step,
		       *sample ? " of sample " : "", sample);
	return text;
}

static const char *core(const struct process *process)
{
	return process->dumped ? ", core dumped" : "";
}

static bool is_fault(const struct probe_kill *kill)
{
	return kill->code > 0 && kill->code < SI_KERNEL &&
	       (kill->signal == SIGSEGV || kill->signal == SIGBUS || kill->signal == SIGFPE ||
		kill->signal == SIGILL);
}

/* By the kernel, in its own right. */
static void words_kernel(const struct process *process, const struct probe_kill *kill,
			 const char *name, struct failure_event *event)
{
	if (is_fault(kill))
		(void)snprintf(event->words, sizeof(event->words),
			       "crashed: %s at address 0x%" PRIx64, name, kill->address);
	else
		(void)snprintf(event->words, sizeof(event->words),
			       "was killed by the kernel with %s", name);
	(void)snprintf(event->detail, sizeof(event->detail), "%s by the kernel%s", name,
		       core(process));
}

static void words_self(const struct process *process, const char *name, struct failure_event *event)
{
	if (process->signal == SIGPIPE)
		(void)snprintf(event->words, sizeof(event->words),
			       "ended by SIGPIPE: what read its output had gone");
	else
		(void)snprintf(event->words, sizeof(event->words), "ended itself with %s", name);
	(void)snprintf(event->detail, sizeof(event->detail), "%s by itself%s", name, core(process));
}

void failure_words_signal(const struct process *process, const struct probe_kill *kill,
			  struct failure_event *event)
{
	char name[24];

	signal_name(process->signal, name);
	if (!kill) {
		(void)snprintf(event->words, sizeof(event->words), "was killed by signal %d (%s)",
			       process->signal, name);
		(void)snprintf(event->detail, sizeof(event->detail), "%s%s", name, core(process));
	} else if (kill->code > 0) {
		words_kernel(process, kill, name, event);
	} else if (kill->sender.pid == process->key.pid) {
		words_self(process, name, event);
	} else {
		(void)snprintf(event->words, sizeof(event->words),
			       "was killed by %.80s (pid %" PRIu32 ", uid %" PRIu32 ") with %s",
			       event->sender, event->sender_pid, event->sender_uid, name);
		(void)snprintf(event->detail, sizeof(event->detail), "%s by a process%s", name,
			       core(process));
	}
	if (process->dumped)
		strncat(event->words, " (core dumped)",
			sizeof(event->words) - strlen(event->words) - 1);
}

void failure_words_exit(const struct process *process, const struct probe_kill *kill,
			struct failure_event *event)
{
	bool by_kernel = kill && kill->code > 0;
	char name[24];

	(void)snprintf(event->words, sizeof(event->words), "exited with code %d",
		       process->exit_code);
	if (!kill)
		return;
	signal_name(kill->signal, name);
	(void)snprintf(event->detail, sizeof(event->detail), "%s by %s", name,
		       by_kernel ? "the kernel" : "a process");
	if (by_kernel)
		(void)snprintf(event->words, sizeof(event->words),
			       "exited with code %d after %s by the kernel", process->exit_code,
			       name);
	else
		(void)snprintf(event->words, sizeof(event->words),
			       "exited with code %d after %s by %.80s (pid %" PRIu32
			       ", uid %" PRIu32 ")",
			       process->exit_code, name, event->sender, event->sender_pid,
			       event->sender_uid);
}

void failure_words_oom(const struct process *process, const struct probe_kill *kill,
		       struct failure_event *event)
{
	char where[FAILURE_PATH + 96], asker[160], limit[32];

	if (event->limit_bytes)
		(void)snprintf(where, sizeof(where), "out of memory in %s, limit %s",
			       event->path[0] ? event->path : "its cgroup",
			       text_bytes(event->limit_bytes, limit, sizeof(limit)));
	else
		(void)snprintf(where, sizeof(where), "the host was out of memory");
	if (event->sender_pid == process->key.pid)
		(void)snprintf(asker, sizeof(asker), "it had asked for more itself");
	else
		(void)snprintf(asker, sizeof(asker), "%.80s (pid %" PRIu32 ") had asked for memory",
			       event->sender, event->sender_pid);
	(void)snprintf(event->words, sizeof(event->words), "was killed by the kernel");
	(void)snprintf(event->cause, sizeof(event->cause), ": %s; %s", where, asker);
	(void)snprintf(event->detail, sizeof(event->detail),
		       "SIGKILL by the kernel, oom_score_adj %d", kill->oom_score_adj);
}

void failure_words_exec(const struct process *process, const struct probe_attempt *attempt,
			struct failure_event *event)
{
	const char *name = attempt ? strerrorname_np(attempt->error) : NULL;
	const char *words = attempt ? strerrordesc_np(attempt->error) : NULL;
	char end[64] = "";

	if (process->signal)
		(void)snprintf(end, sizeof(end), "and was killed");
	else
		(void)snprintf(end, sizeof(end), "and exited with code %d", process->exit_code);
	if (attempt)
		(void)snprintf(event->words, sizeof(event->words), "could not run %s: %s, %s",
			       event->path[0] ? event->path : "what a descriptor stands for",
			       words ? words : "for an unknown reason", end);
	else
		(void)snprintf(event->words, sizeof(event->words),
			       "was to run a command that %s: it exited with code %d",
			       process->exit_code == 127 ? "was not found" : "could not be run",
			       process->exit_code);
	(void)snprintf(event->detail, sizeof(event->detail), "%s",
		       name ? name : "by the exit code");
}
