/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/failure/failure_write.h"

#include <stdio.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

/* Tools that failed and that nothing noticed: one finding about all of them. */

#define MASKED_NAMED   20
#define MASKED_IN_TEXT 5

struct masked {
	struct failure_case cases[MASKED_NAMED]; /* the first ones, by time */
	struct cause causes[MASKED_NAMED];
	size_t count; /* also those that are not named */
};

static int64_t ended_at(const struct failure_analysis *analysis, size_t process)
{
	return process_tree_get(analysis->tree, process)->ended_at;
}

static void keep(struct masked *masked, const struct failure_analysis *analysis, size_t process)
{
	size_t held = masked->count < MASKED_NAMED ? masked->count : MASKED_NAMED, at = held;
	const struct tree_process *failed = process_tree_get(analysis->tree, process);

	masked->count++;
	while (at > 0 && ended_at(analysis, masked->cases[at - 1].culprit) > failed->ended_at)
		at--;
	if (at == MASKED_NAMED)
		return;
	for (size_t i = held < MASKED_NAMED ? held : MASKED_NAMED - 1; i > at; i--)
		masked->cases[i] = masked->cases[i - 1];
	masked->cases[at] = (struct failure_case){
		.facts = analysis->facts,
		.tree = analysis->tree,
		.outcomes = analysis->outcomes,
		.task = failed->task ? &analysis->facts->tasks[failed->task - 1] : NULL,
		.chain = { .noted = PROCESS_NONE },
		.culprit = process,
	};
}

static size_t named_count(const struct masked *masked)
{
	return masked->count < MASKED_NAMED ? masked->count : MASKED_NAMED;
}

/* A task that failed has a finding of its own. */
static bool has_finding(const struct failure_analysis *analysis, size_t process)
{
	size_t task = process_tree_get(analysis->tree, process)->task;

	for (size_t i = 0; task != NO_TASK && i < analysis->count; i++)
		if (analysis->cases[i].task == &analysis->facts->tasks[task - 1])
			return true;
	return false;
}

static void collect(const struct failure_analysis *analysis, struct masked *masked)
{
	for (size_t i = 0; i < analysis->facts->process_count; i++)
		if (analysis->outcomes[i] == OUTCOME_MASKED && !has_finding(analysis, i))
			keep(masked, analysis, i);
	for (size_t i = 0; i < named_count(masked); i++)
		cause_of_process(&masked->cases[i], masked->cases[i].culprit, &masked->causes[i]);
}

static void tell_one(const struct masked *masked, size_t i, struct buffer *out)
{
	words_subject(out, &masked->cases[i], masked->cases[i].culprit);
	masked->causes[i].kind->tell(&masked->cases[i], &masked->causes[i], out);
}

static char *write_summary(const struct masked *masked, bool run_succeeded)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };

	buffer_init(&out, 32768);
	buffer_printf(&out, "%zu tool%s failed and nothing noticed it%s.", masked->count,
		      masked->count == 1 ? "" : "s", run_succeeded ? "; the run succeeded" : "");
	for (size_t i = 0; i < named_count(masked) && i < MASKED_IN_TEXT; i++) {
		buffer_append_char(&out, ' ');
		tell_one(masked, i, &out);
	}
	if (masked->count > MASKED_IN_TEXT)
		buffer_printf(&out, " %zu more are in the list.", masked->count - MASKED_IN_TEXT);
	return buffer_take(&out);
}

static char *write_headline(const struct masked *masked)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };

	buffer_init(&out, 4096);
	words_short(&out, &masked->cases[0], masked->cases[0].culprit);
	masked->causes[0].kind->headline(&masked->cases[0], &masked->causes[0], &out);
	if (masked->count > 1)
		buffer_printf(&out, " and %zu more failed", masked->count - 1);
	buffer_append_text(&out, ", unnoticed");
	return buffer_take(&out);
}

static void write_failure(struct json *json, const struct failure_case *failure,
			  const struct cause *cause)
{
	const struct tree_process *process = case_process(failure, failure->culprit);

	json_object_begin(json);
	evidence_place(json, failure, failure->culprit);
	evidence_at(json, "at", cause->at);
	evidence_text(json, "inner", cause->kind->name);
	json_key(json, process->status == PROCESS_KILLED ? "signal_number" : "exit_code");
	json_i64(json, process->status == PROCESS_KILLED ? process->signal : process->exit_code);
	json_object_end(json);
}

static char *write_evidence(const struct masked *masked)
{
	const struct failure_case *first = &masked->cases[0];
	CLEANUP(buffer_clear) struct buffer out = { 0 };
	struct json json;

	buffer_init(&out, 0);
	json_init(&json, &out, false);
	json_object_begin(&json);
	evidence_text(&json, "run_id", first->facts->run.id);
	evidence_place(&json, first, first->culprit);
	evidence_at(&json, "at", masked->causes[0].at);
	evidence_text(&json, "inner", masked->causes[0].kind->name);
	masked->causes[0].kind->evidence(first, &masked->causes[0], &json);
	json_key(&json, "failures_count");
	json_u64(&json, masked->count);
	json_key(&json, "failures");
	json_array_begin(&json);
	for (size_t i = 0; i < named_count(masked); i++)
		write_failure(&json, &masked->cases[i], &masked->causes[i]);
	json_array_end(&json);
	json_object_end(&json);
	return buffer_take(&out);
}

/* By what started the first of them. */
static const char *advice(const struct failure_analysis *analysis, size_t process)
{
	size_t parent = process_tree_parent(analysis->tree, process);

	if (parent == PROCESS_NONE || process_tree_role(analysis->tree, parent) == ROLE_SHELL)
		return "Begin the script with `set -euo pipefail`, so that it ends at the first "
		       "command that fails.";
	return "Let the program that starts it check its exit code, and end with an error, too.";
}

int failure_write_masked(const struct failure_analysis *analysis, struct findings *ret)
{
	const struct failure_run *run = &analysis->facts->run;
	CLEANUP(freep) struct masked *masked = calloc(1, sizeof(*masked));
	struct finding finding = { .kind = "masked_failure",
				   .severity = FINDING_WARNING,
				   .confidence = CONFIDENCE_HIGH,
				   .saves_s = -1,
				   .saves_usd = -1 };

	if (!masked)
		return -ENOMEM;
	collect(analysis, masked);
	if (masked->count == 0)
		return 0;
	if (asprintf(&finding.subject, "run %s", *run->name ? run->name : run->id) < 0)
		finding.subject = NULL;
	finding.summary = write_summary(masked, run->status == PROCESS_SUCCEEDED);
	finding.headline = write_headline(masked);
	finding.evidence = write_evidence(masked);
	finding.advice = strdup(advice(analysis, masked->cases[0].culprit));
	return findings_add(ret, finding);
}
