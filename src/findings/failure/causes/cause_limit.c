/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "findings/failure/cause.h"
#include "findings/failure/signal_sender.h"

/* Ended at a limit of time by `timeout`. */

#define TIMED_OUT 124 /* timeout(1), EXIT STATUS; with -s KILL 137 */
#define KILLED    137

/* The first word of timeout that is no option is its limit: a number with s, m, h or d. */
static const char *limit_word(const struct tree_process *process)
{
	static const char *const with_value[] = { "-k", "--kill-after", "-s", "--signal", NULL };

	for (size_t i = 1; i < process->argc; i++) {
		if (process->argv[i][0] != '-')
			return process->argv[i];
		if (text_is_one_of(process->argv[i], with_value))
			i++;
	}
	return "";
}

static int64_t limit_ns(const struct tree_process *process)
{
	static const char units[] = "smhd";
	static const double seconds[] = { 1, 60, 3600, 86400 };
	char *end = NULL;
	double number = strtod(limit_word(process), &end);
	const char *unit = *end ? strchr(units, *end) : units;

	if (!(number > 0) || number > 1e8 || !unit)
		return 0;
	return (int64_t)(number * seconds[unit - units] * (double)NS_PER_S);
}

/* Its own process, if it is of the run. */
static size_t find_timeout(const struct failure_case *failure, struct cause *ret)
{
	size_t timeout = case_on_chain(failure, "timeout");
	const struct tree_process *process = case_process(failure, timeout);

	ret->event = case_event(failure, failure->culprit, EVENT_KILLED);
	if (ret->event && strcmp(ret->event->sender, "timeout") == 0) {
		const struct failure_event *ended =
			case_event(failure, failure->chain.noted, EVENT_KILLED);

		if (ret->event->sender_process == failure->culprit && ended)
			ret->event = ended; /* -s KILL ends timeout, too */
		return ret->event->sender_process;
	}
	if (!process || process->status != PROCESS_FAILED)
		return PROCESS_NONE;
	ret->event = case_event(failure, failure->chain.noted, EVENT_KILLED);
	if (process->exit_code == TIMED_OUT)
		return timeout;
	return process->exit_code == KILLED && ret->event &&
			       strcmp(ret->event->sender, "timeout") == 0
		       ? timeout
		       : PROCESS_NONE;
}

/* The run ended by a signal, as by Ctrl-C: then it ends its tasks, too. */
static bool was_interrupted(const struct failure_case *failure)
{
	const struct failure_run *run = &failure->facts->run;

	return run->status == PROCESS_KILLED || run->exit_code > SHELL_SIGNAL ||
	       case_signal_event(failure, run->root);
}

/* Nextflow ends a task when another one failed (cause_stopped.c), at its limit, or when it is
 * interrupted: then it ends with exit code 1, too (24.10), and no record shows the signal. */
static bool find_engine(const struct failure_case *failure, struct cause *ret)
{
	if (strcmp(failure->facts->run.engine, "nextflow") != 0 || was_interrupted(failure))
		return false;
	ret->event = case_signal_event(failure, failure->culprit);
	ret->text = failure->facts->run.engine;
	ret->confidence = CONFIDENCE_LOW;
	return failure->task && ret->event &&
	       (sender_kind(failure, ret->event) == SENDER_ENGINE ||
		sender_was_asked(failure, ret->event));
}

static bool find(const struct failure_case *failure, struct cause *ret)
{
	size_t timeout = find_timeout(failure, ret);
	const struct tree_process *process = case_process(failure, timeout);

	if (!process && !(ret->event && strcmp(ret->event->sender, "timeout") == 0))
		return find_engine(failure, ret);
	if (process)
		ret->limit_ns = limit_ns(process);
	if (ret->event)
		ret->process = ret->event->process;
	return true;
}

static void tell_limit(const struct cause *cause, struct buffer *out)
{
	char text[32];

	if (cause->limit_ns > 0)
		buffer_printf(out, " of %s",
			      text_duration((uint64_t)cause->limit_ns, text, sizeof(text)));
}

static void tell_asked(const struct failure_case *failure, const struct cause *cause,
		       struct buffer *out)
{
	bool seen = sender_kind(failure, cause->event) == SENDER_ENGINE;

	if (seen)
		buffer_printf(out, " was ended by %.60s", cause->text);
	else
		buffer_append_text(out, " was asked to end");
	words_after(out, failure, cause->process);
	buffer_printf(out,
		      ", and no other task had failed before. %.60s does so when a task reaches "
		      "its time limit (`time`), and when it is interrupted (Ctrl-C)%s.",
		      cause->text, seen ? "" : "; who asked is not in the records");
}

static void tell(const struct failure_case *failure, const struct cause *cause, struct buffer *out)
{
	if (cause->text) {
		tell_asked(failure, cause, out);
		return;
	}
	buffer_append_text(out, " was ended by `timeout`");
	words_after(out, failure, cause->process);
	buffer_append_text(out, ": it had not ended within its time limit");
	tell_limit(cause, out);
	buffer_append_char(out, '.');
}

static void headline(const struct failure_case *failure, const struct cause *cause,
		     struct buffer *out)
{
	buffer_append_text(out, cause->text ? " was ended by its engine (a time limit, or Ctrl-C?)"
					    : " ran into its time limit");
	tell_limit(cause, out);
}

static void evidence(const struct failure_case *failure, const struct cause *cause,
		     struct json *json)
{
	const struct tree_process *process = case_process(failure, cause->process);

	if (cause->limit_ns > 0) {
		json_key(json, "limit_s");
		json_double(json, (double)cause->limit_ns / (double)NS_PER_S);
	}
	json_key(json, "ran_s");
	json_double(json, (double)(process->ended_at - process->started_at) / (double)NS_PER_S);
	evidence_text(json, "sender", cause->event ? cause->event->sender : "timeout");
}

static void advise(const struct failure_case *failure, const struct cause *cause,
		   struct buffer *out)
{
	buffer_printf(
		out,
		"Give it more time%s, or find out what it waited for: see what limits the task.",
		cause->text ? " (`time` of its process)" : " where `timeout` is called");
}

const struct cause_kind cause_time_limit = {
	.name = "time_limit",
	.find = find,
	.tell = tell,
	.headline = headline,
	.evidence = evidence,
	.advise = advise,
	.shared = SHARED_STEP | SHARED_TOOL,
};
