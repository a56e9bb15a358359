/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <string.h>

#include "findings/failure/cause.h"
#include "findings/failure/signal_sender.h"

/* Ended by a signal: of its own fault, or sent by somebody. */

static bool is_fault(int signal)
{
	return signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS || signal == SIGFPE ||
	       signal == SIGILL || signal == SIGSYS || signal == SIGTRAP;
}

static int signal_of(const struct tree_process *process)
{
	return process->status == PROCESS_KILLED ? process->signal : 0;
}

/* The signal of a command that the records do not have: only its shell's code. */
static int signal_by_code(const struct failure_case *failure)
{
	const struct tree_process *culprit = case_process(failure, failure->culprit);
	int signal = culprit && culprit->status == PROCESS_FAILED
			     ? culprit->exit_code - SHELL_SIGNAL
			     : 0;

	if (signal <= 0 || signal >= 32 ||
	    process_tree_role(failure->tree, failure->culprit) == ROLE_TOOL)
		return 0;
	return signal;
}

static bool find_signal(const struct failure_case *failure, struct cause *ret)
{
	const struct tree_process *culprit = case_process(failure, failure->culprit);

	ret->event = case_signal_event(failure, failure->culprit);
	ret->number = culprit ? signal_of(culprit) : case_signal(failure);
	if (!ret->number && ret->event)
		ret->number = event_signal(ret->event);
	if (!ret->number) {
		ret->number = signal_by_code(failure);
		ret->text = "by code";
		if (ret->confidence > CONFIDENCE_MEDIUM)
			ret->confidence = CONFIDENCE_MEDIUM;
	}
	return ret->number > 0;
}

/* By another process a signal of a fault is no fault. */
static bool find_crash(const struct failure_case *failure, struct cause *ret)
{
	enum sender_kind sender;

	if (!find_signal(failure, ret) || !is_fault(ret->number))
		return false;
	sender = sender_kind(failure, ret->event);
	return sender == SENDER_SELF || sender == SENDER_KERNEL || sender == SENDER_UNKNOWN;
}

static bool find_killed(const struct failure_case *failure, struct cause *ret)
{
	return find_signal(failure, ret) && ret->number != SIGPIPE;
}

static bool core_dumped(const struct cause *cause)
{
	return cause->event && strstr(cause->event->detail, "core dumped");
}

static const char *crash_words(int signal)
{
	static const struct {
		int signal;
		const char *words;
	} all[] = {
		{ SIGSEGV, "it used memory that is not its own" },
		{ SIGABRT, "it ended itself after an error that it had found (abort)" },
		{ SIGBUS, "it used memory that is not there: a mapped file that became shorter, or "
			  "a full disk behind it" },
		{ SIGFPE, "a division by zero or the like" },
		{ SIGILL, "an instruction that this CPU does not have: a program built for another "
			  "CPU" },
		{ SIGSYS, "a system call that is not allowed here" },
		{ SIGTRAP, "a trap of its own" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].signal == signal)
			return all[i].words;
	return "";
}

static void tell_by_code(const struct cause *cause, const char *name, struct buffer *out)
{
	buffer_printf(out,
		      " ended with exit code %d, with which a shell says that a command was ended "
		      "by %s. Which one is not in the records.",
		      SHELL_SIGNAL + cause->number, name);
}

static void tell_crash(const struct failure_case *failure, const struct cause *cause,
		       struct buffer *out)
{
	char text[24];
	const char *name = words_signal(cause->number, text);

	if (cause->text) {
		tell_by_code(cause, name, out);
		return;
	}
	buffer_append_text(out, " crashed");
	words_after(out, failure, cause->process);
	buffer_printf(out, " with %s: %s.%s", name,
		      cause->number != SIGABRT && sender_kind(failure, cause->event) == SENDER_SELF
			      ? "it sent this signal to itself"
			      : crash_words(cause->number),
		      core_dumped(cause) ? " It left a core dump." : "");
}

static void tell_killed(const struct failure_case *failure, const struct cause *cause,
			struct buffer *out)
{
	char text[24];
	const char *name = words_signal(cause->number, text);

	if (cause->text) {
		tell_by_code(cause, name, out);
		return;
	}
	buffer_printf(out, " was ended by %s", name);
	words_after(out, failure, cause->process);
	if (!cause->event || !*cause->event->sender) {
		buffer_append_text(out, ". Who sent it was not seen.");
		return;
	}
	buffer_append_text(out, ", sent by ");
	words_sender(out, failure, cause->event);
	buffer_append_char(out, '.');
}

static void headline_crash(const struct failure_case *failure, const struct cause *cause,
			   struct buffer *out)
{
	char text[24];

	buffer_printf(out, " crashed (%s)", words_signal(cause->number, text));
}

static void headline_killed(const struct failure_case *failure, const struct cause *cause,
			    struct buffer *out)
{
	char text[24];

	buffer_printf(out, " was killed (%s", words_signal(cause->number, text));
	if (cause->event && *cause->event->sender)
		buffer_printf(out, " by %.60s", cause->event->sender);
	buffer_append_char(out, ')');
}

static void evidence(const struct failure_case *failure, const struct cause *cause,
		     struct json *json)
{
	char text[24];

	evidence_text(json, "signal", words_signal(cause->number, text));
	if (cause->kind == &cause_crash) {
		json_key(json, "core_dumped");
		json_bool(json, core_dumped(cause));
	}
	if (!cause->event || !*cause->event->sender)
		return;
	evidence_text(json, "sender", cause->event->sender);
	evidence_number(json, "sender_pid", (uint64_t)cause->event->sender_pid);
	if (cause->event->sender_pid > 0) {
		json_key(json, "sender_uid");
		json_i64(json, cause->event->sender_uid);
	}
}

static void advise_crash(const struct failure_case *failure, const struct cause *cause,
			 struct buffer *out)
{
	buffer_append_text(out, "A crash is a fault of the program, often with one input: run it "
				"alone on this input, try another version, and report it to its "
				"authors");
	buffer_append_text(out, core_dumped(cause) ? " with the core dump." : ".");
}

static void advise_killed(const struct failure_case *failure, const struct cause *cause,
			  struct buffer *out)
{
	enum sender_kind sender = sender_kind(failure, cause->event);

	if (sender == SENDER_PERSON || sender == SENDER_KERNEL)
		buffer_append_text(out, "Start it again if it was ended by mistake.");
	else if (sender == SENDER_UNKNOWN)
		buffer_append_text(out, "Look at the logs of the scheduler and of the host at that "
					"time.");
	else
		buffer_printf(out, "Look at what `%.100s` says about it.", cause->event->sender);
}

const struct cause_kind cause_crash = {
	.name = "crash",
	.find = find_crash,
	.tell = tell_crash,
	.headline = headline_crash,
	.evidence = evidence,
	.advise = advise_crash,
	.shared = SHARED_STEP | SHARED_TOOL | SHARED_NUMBER,
};

const struct cause_kind cause_killed = {
	.name = "killed",
	.find = find_killed,
	.tell = tell_killed,
	.headline = headline_killed,
	.evidence = evidence,
	.advise = advise_killed,
	.shared = SHARED_SENDER | SHARED_NUMBER,
};
