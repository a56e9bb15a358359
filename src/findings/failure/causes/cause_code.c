/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "findings/failure/cause.h"
#include "findings/failure/exit_meaning.h"
#include "findings/failure/failed_open.h"

/* An exit code of its own, and what little is known beside it. */

#define SHORTLY_NS (10 * NS_PER_MS) /* before its end: what failed then may be the reason */

/* Whether the code could be another process's of which nothing is known. */
static bool may_lack_records(const struct failure_case *failure)
{
	return failure->chain.incomplete &&
	       (failure->facts->run.lost_records > 0 || !failure->facts->complete);
}

/* The last open that failed shortly before its end. */
static const struct failed_open *last_open(const struct failure_case *failure,
					   const struct tree_process *culprit)
{
	const struct failed_open *last = NULL;

	for (size_t i = 0; i < failure->facts->open_count; i++) {
		const struct failed_open *open = &failure->facts->opens[i];

		if (open->process == failure->culprit && *open->path &&
		    !failed_open_is_routine(open->path) &&
		    culprit->ended_at - open->last_at < SHORTLY_NS)
			last = open;
	}
	return last;
}

/* What an engine's code means is not what its interpreter's does. */
static const char *meaning_of(const struct tree_process *culprit)
{
	const char *program = culprit->argc > 0 ? culprit->argv[0] : "";
	char first[64];

	text_cut(culprit->tool, strcspn(culprit->tool, " "), first, sizeof(first));
	return exit_meaning(culprit->tool, engine_judges(first) ? "" : program, culprit->exit_code);
}

/* A run that was started in this one failed with the code that no process of this one had. */
static bool is_of_inner_run(const struct failure_case *failure, const struct cause *cause)
{
	const struct failure_run *run = &failure->facts->run;

	return failure->chain.incomplete && *run->inner_id && run->inner_exit_code == cause->number;
}

static bool find_code(const struct failure_case *failure, struct cause *ret)
{
	const struct tree_process *culprit = case_process(failure, failure->culprit);

	if (!culprit || culprit->status != PROCESS_FAILED || may_lack_records(failure))
		return false;
	ret->number = culprit->exit_code;
	ret->text = meaning_of(culprit);
	if (process_tree_role(failure->tree, failure->culprit) != ROLE_SHELL)
		ret->open = last_open(failure, culprit);
	return true;
}

/* What failed last before a script ended with a code of its own. */
static void tell_noted(const struct failure_case *failure, struct buffer *out)
{
	const struct tree_process *noted = case_process(failure, failure->chain.noted);
	char text[24];

	if (!noted || failure->chain.noted == failure->culprit)
		return;
	buffer_append_text(out, " Before that, `");
	words_command(out, noted);
	if (noted->status == PROCESS_KILLED)
		buffer_printf(out, "` was ended by %s.", words_signal(noted->signal, text));
	else
		buffer_printf(out, "` ended with exit code %d.", noted->exit_code);
}

static void tell_code(const struct failure_case *failure, const struct cause *cause,
		      struct buffer *out)
{
	enum process_role role = process_tree_role(failure->tree, cause->process);

	buffer_printf(out, " ended with exit code %d", cause->number);
	words_after(out, failure, cause->process);
	if (cause->text)
		buffer_printf(out, ": %s", cause->text);
	buffer_append_char(out, '.');
	if (is_of_inner_run(failure, cause))
		buffer_printf(
			out,
			" It had started the run %.200s, which failed with the same code: see "
			"there why.",
			failure->facts->run.inner_name);
	else if (role == ROLE_SHELL && failure->chain.incomplete)
		buffer_append_text(out, " No command that it started ended with this code: it is "
					"the script's own (`exit`, or a command built into the "
					"shell).");
	tell_noted(failure, out);
	if (cause->open) {
		char text[24];

		buffer_printf(out, " Shortly before its end it failed to open %.400s (%s).",
			      cause->open->path, words_errno(cause->open->error, text));
	}
}

static void headline_code(const struct failure_case *failure, const struct cause *cause,
			  struct buffer *out)
{
	if (is_of_inner_run(failure, cause))
		buffer_printf(out, ": the run %.80s failed in it", failure->facts->run.inner_name);
	else
		buffer_printf(out, " ended with exit code %d", cause->number);
}

static void evidence_code(const struct failure_case *failure, const struct cause *cause,
			  struct json *json)
{
	json_key(json, "exit_code");
	json_i64(json, cause->number);
	evidence_text(json, "meaning", cause->text);
	if (is_of_inner_run(failure, cause))
		evidence_text(json, "failed_run_id", failure->facts->run.inner_id);
	if (cause->open) {
		char text[24];

		evidence_text(json, "errno", name_errno(cause->open->error, text));
	}
}

static bool is_plain(const char *name)
{
	for (; *name; name++)
		if (!text_is_alnum(*name) && !strchr("._-", *name))
			return false;
	return true;
}

static void advise_log(const struct failure_case *failure, const struct cause *cause,
		       struct buffer *out)
{
	const struct failure_run *run = &failure->facts->run;

	buffer_printf(out,
		      "What it wrote says more: `tracer report --logs %.200s` shows the end of its "
		      "log, where it is on this host.",
		      *run->name && *run->name != '-' && is_plain(run->name) ? run->name : run->id);
}

static bool find_unknown(const struct failure_case *failure, struct cause *ret)
{
	ret->number = case_exit_code(failure);
	ret->confidence = CONFIDENCE_LOW;
	return true;
}

static void tell_missing(const struct failure_case *failure, struct buffer *out)
{
	const struct failure_facts *facts = failure->facts;

	if (facts->run.lost_records > 0)
		buffer_printf(out, " %llu records were lost while the run lasted.",
			      (unsigned long long)facts->run.lost_records);
	if (!facts->complete)
		buffer_append_text(out, " The run has more processes than are examined.");
	if (failure->culprit == PROCESS_NONE)
		buffer_append_text(out, " The end of its process is not in the records.");
	else if (failure->chain.incomplete)
		buffer_append_text(out, " A command that it started may be missing.");
}

static void tell_unknown(const struct failure_case *failure, const struct cause *cause,
			 struct buffer *out)
{
	enum process_status status = case_status(failure);
	char text[24];

	if (status == PROCESS_KILLED)
		buffer_printf(out, " was ended by %s", words_signal(case_signal(failure), text));
	else if (status == PROCESS_FAILED)
		buffer_printf(out, " ended with exit code %d", cause->number);
	else
		buffer_append_text(out, " has no known end");
	buffer_append_text(out, "; the records do not show why.");
	tell_missing(failure, out);
}

static void headline_unknown(const struct failure_case *failure, const struct cause *cause,
			     struct buffer *out)
{
	if (case_status(failure) == PROCESS_FAILED)
		buffer_printf(out, " ended with exit code %d, cause unknown", cause->number);
	else
		buffer_append_text(out, " ended, cause unknown");
}

static void evidence_unknown(const struct failure_case *failure, const struct cause *cause,
			     struct json *json)
{
	char text[24];

	if (case_status(failure) == PROCESS_FAILED) {
		json_key(json, "exit_code");
		json_i64(json, cause->number);
	} else if (case_status(failure) == PROCESS_KILLED) {
		evidence_text(json, "signal", words_signal(case_signal(failure), text));
	}
	evidence_number(json, "lost_records", failure->facts->run.lost_records);
	json_key(json, "processes_complete");
	json_bool(json, failure->facts->complete);
}

const struct cause_kind cause_exit_code = {
	.name = "exit_code",
	.find = find_code,
	.tell = tell_code,
	.headline = headline_code,
	.evidence = evidence_code,
	.advise = advise_log,
	.shared = SHARED_STEP | SHARED_TOOL | SHARED_NUMBER,
};

const struct cause_kind cause_unknown_failure = {
	.name = "unknown_failure",
	.find = find_unknown,
	.tell = tell_unknown,
	.headline = headline_unknown,
	.evidence = evidence_unknown,
	.advise = advise_log,
	.shared = SHARED_STEP | SHARED_NUMBER,
};
