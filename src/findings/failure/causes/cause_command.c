/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "findings/failure/cause.h"

/* A command that was not found, or that could not be run. */

#define NOT_RUN   126 /* POSIX XCU 2.8.2 */
#define NOT_FOUND 127
#define SOON_NS   NS_PER_S /* within which a program that starts another one gives up */

static bool is_shells_code(const struct tree_process *process)
{
	return process->status == PROCESS_FAILED &&
	       (process->exit_code == NOT_RUN || process->exit_code == NOT_FOUND);
}

/* The text of `SHELL -c TEXT`, without what Snakemake puts in front. */
static const char *shell_text(const struct tree_process *process)
{
	static const char strict[] = "set -euo pipefail;";
	const char *text;
	size_t i = 1;

	while (i < process->argc && strcmp(process->argv[i], "-c") != 0)
		i++;
	if (i + 1 >= process->argc)
		return "";
	text = process->argv[i + 1];
	text += strspn(text, " \t\n");
	if (text_starts_with(text, strict))
		text += sizeof(strict) - 1;
	return text + strspn(text, " \t\n");
}

/* The name of the one command that a shell was to run; "": there are several, or none is known. */
static void name_of_text(const struct tree_process *process, char *ret, size_t size)
{
	const char *text = shell_text(process);
	size_t len = strcspn(text, " \t\n");

	*ret = '\0';
	if (len > 0 && !text[strcspn(text, ";|&()$`{}=\n\"'\\")])
		text_cut(text, len, ret, size);
}

/* An exec that failed in a child of the culprit counts if the culprit ended then. */
static const struct failure_event *find_exec(const struct failure_case *failure)
{
	const struct tree_process *culprit = case_process(failure, failure->culprit);
	const struct failure_event *event =
		case_event(failure, failure->culprit, EVENT_EXEC_FAILED);

	if (!event)
		event = case_event(failure, failure->chain.noted, EVENT_EXEC_FAILED);
	if (!event) {
		event = case_event_near(failure, EVENT_EXEC_FAILED);
		if (event && culprit->ended_at - event->at > SOON_NS)
			event = NULL;
	}
	return event;
}

/* An event with a name says it all; the code alone is some command's. */
static enum finding_confidence confidence(const struct tree_process *culprit,
					  const struct cause *cause)
{
	bool exact = is_shells_code(culprit) && cause->event && *cause->event->path;

	if (cause->confidence == CONFIDENCE_LOW)
		return CONFIDENCE_LOW;
	return exact ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
}

static bool find(const struct failure_case *failure, struct cause *ret)
{
	const struct tree_process *culprit = case_process(failure, failure->culprit);

	if (!culprit || culprit->status != PROCESS_FAILED)
		return false;
	ret->event = find_exec(failure);
	if (!ret->event && !is_shells_code(culprit))
		return false;
	ret->number = culprit->exit_code;
	if (ret->event && *ret->event->path) {
		ret->at = ret->event->at;
		(void)snprintf(ret->address, sizeof(ret->address), "%s",
			       text_basename(ret->event->path));
	} else {
		name_of_text(culprit, ret->address, sizeof(ret->address));
	}
	ret->confidence = confidence(culprit, ret);
	return true;
}

static bool is_missing(const struct cause *cause)
{
	return cause->event && cause->event->code ? cause->event->code == ENOENT
						  : cause->number != NOT_RUN;
}

static void tell(const struct failure_case *failure, const struct cause *cause, struct buffer *out)
{
	bool missing = is_missing(cause);
	char text[24];

	buffer_printf(out, " ended with exit code %d: ", cause->number);
	if (!*cause->address)
		buffer_printf(
			out,
			"a command that it was to run %s. Its name is not in the records; the "
			"shell's message has it.",
			missing ? "was not found" : "could not be run");
	else if (missing)
		buffer_printf(out, "the command `%.200s` was not found.", cause->address);
	else
		buffer_printf(out, "the command `%.200s` could not be run%s%s.", cause->address,
			      cause->event ? ": " : "",
			      cause->event ? words_errno(cause->event->code, text) : "");
}

static void headline(const struct failure_case *failure, const struct cause *cause,
		     struct buffer *out)
{
	const char *what = is_missing(cause) ? "was not found" : "could not be run";

	if (*cause->address)
		buffer_printf(out, ": `%.60s` %s", cause->address, what);
	else
		buffer_printf(out, ": a command %s", what);
}

static void evidence(const struct failure_case *failure, const struct cause *cause,
		     struct json *json)
{
	char text[24];

	json_key(json, "exit_code");
	json_i64(json, cause->number);
	evidence_text(json, "command_name", cause->address);
	if (!cause->event)
		return;
	evidence_text(json, "path", cause->event->path);
	if (cause->event->code)
		evidence_text(json, "errno", name_errno(cause->event->code, text));
}

static void advise(const struct failure_case *failure, const struct cause *cause,
		   struct buffer *out)
{
	buffer_append_text(out, is_missing(cause)
					? "Install it, or add its folder to PATH, in the "
					  "environment or container of this task; check how its "
					  "name is written."
					: "Make it executable (`chmod +x`), and check that it is "
					  "built for this host and begins with a valid `#!` line.");
}

const struct cause_kind cause_command_not_found = {
	.name = "command_not_found",
	.find = find,
	.tell = tell,
	.headline = headline,
	.evidence = evidence,
	.advise = advise,
	.shared = SHARED_ADDRESS | SHARED_NUMBER,
};
