/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/failure/signal_sender.h"

#include <string.h>

#include "base/text.h"

/* Programs with which people send signals; a shell has its own `kill`. */
static const char *const persons_tools[] = { "bash", "sh",   "dash",  "zsh",   "fish",
					     "ksh",  "tcsh", "kill",  "pkill", "killall",
					     "htop", "top",  "skill", "snice", NULL };

/* Programs that end work for a reason of their own. */
static const struct {
	const char *tool, *words;
} outsiders[] = {
	{ "slurmstepd", "Slurm (its time or memory limit, or `scancel`)" },
	{ "slurmd", "Slurm (its time or memory limit, or `scancel`)" },
	{ "dockerd", "docker (`docker stop` or `docker kill`)" },
	{ "containerd-shim", "the container's runtime (a stop or kill of the container)" },
	{ "containerd-shim-runc-v2", "the container's runtime (a stop or kill of the container)" },
	{ "runc", "the container's runtime (a stop or kill of the container)" },
	{ "conmon", "the container's runtime (a stop or kill of the container)" },
	{ "kubelet", "Kubernetes" },
	{ "systemd", "systemd (a stop of its unit, or a limit of it)" },
	{ "systemd-oomd", "systemd-oomd, which ends work when memory is short" },
	{ "earlyoom", "earlyoom, which ends work when memory is short" },
};

enum sender_kind sender_kind(const struct failure_case *failure, const struct failure_event *event)
{
	const struct tree_process *sender;

	if (!event || !*event->sender)
		return SENDER_UNKNOWN;
	if (strcmp(event->sender, "kernel") == 0)
		return SENDER_KERNEL;
	if (event->sender_process == event->process)
		return SENDER_SELF;
	sender = case_process(failure, event->sender_process);
	if (sender)
		return sender->task == NO_TASK ? SENDER_ENGINE : SENDER_RUN;
	return text_is_one_of(event->sender, persons_tools) ? SENDER_PERSON : SENDER_OUTSIDER;
}

bool sender_was_asked(const struct failure_case *failure, const struct failure_event *event)
{
	return failure->task && sender_kind(failure, event) == SENDER_RUN &&
	       case_is_below(failure, event->process, event->sender_process) &&
	       strcmp(event->sender, "timeout") != 0 && case_status(failure) == PROCESS_FAILED &&
	       case_exit_code(failure) == 128 + event->code;
}

static void words_user(struct buffer *out, const struct failure_case *failure, int64_t uid)
{
	const struct failure_run *run = &failure->facts->run;

	if (uid == 0)
		buffer_append_text(out, "root");
	else if (uid == run->uid && *run->user)
		buffer_printf(out, "the user %.64s", run->user);
	else
		buffer_printf(out, "the user with the id %lld", (long long)uid);
}

static const char *outsider_words(const char *tool)
{
	for (size_t i = 0; i < sizeof(outsiders) / sizeof(outsiders[0]); i++)
		if (strcmp(outsiders[i].tool, tool) == 0)
			return outsiders[i].words;
	return NULL;
}

static void words_kernel(struct buffer *out, const struct failure_event *event)
{
	static const struct {
		const char *signal, *words;
	} reasons[] = {
		{ "SIGINT", "the terminal (Ctrl-C)" },
		{ "SIGQUIT", "the terminal (Ctrl-\\)" },
		{ "SIGHUP", "the kernel, because its terminal or connection was closed" },
		{ "SIGXCPU",
		  "the kernel, because its limit of CPU time was used up (`ulimit -t`)" },
		{ "SIGXFSZ", "the kernel, because a file reached the limit of size (`ulimit -f`)" },
	};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (text_starts_with(event->detail, reasons[i].signal)) {
			buffer_append_text(out, reasons[i].words);
			return;
		}
	buffer_append_text(out, "the kernel");
}

void words_sender(struct buffer *out, const struct failure_case *failure,
		  const struct failure_event *event)
{
	enum sender_kind kind = sender_kind(failure, event);
	const char *words = kind == SENDER_OUTSIDER ? outsider_words(event->sender) : NULL;

	if (kind == SENDER_UNKNOWN) {
		buffer_append_text(out, "a sender that was not seen");
	} else if (kind == SENDER_KERNEL) {
		words_kernel(out, event);
	} else if (kind == SENDER_SELF) {
		buffer_append_text(out, "itself");
	} else if (kind == SENDER_PERSON) {
		words_user(out, failure, event->sender_uid);
		buffer_printf(out, " with `%.100s` (pid %lld), from outside of the run",
			      event->sender, (long long)event->sender_pid);
	} else if (words) {
		buffer_printf(out, "%s, by `%.100s`", words, event->sender);
	} else {
		buffer_printf(out, "%s`%.100s` (pid %lld) of ",
			      case_is_below(failure, event->process, event->sender_process)
				      ? "its ancestor "
				      : "",
			      event->sender, (long long)event->sender_pid);
		if (kind == SENDER_OUTSIDER)
			words_user(out, failure, event->sender_uid);
		else
			buffer_append_text(out, "this run");
	}
}
