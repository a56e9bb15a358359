/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/usual/usual_findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "findings/usual/unusual_words.h"
#include "tune/expect/usual_steps.h"

#define SURE   0.999
#define LIKELY 0.99

static enum finding_confidence confidence_of(const struct unusual *unusual)
{
	return unusual->confidence >= SURE     ? CONFIDENCE_HIGH
	       : unusual->confidence >= LIKELY ? CONFIDENCE_MEDIUM
					       : CONFIDENCE_LOW;
}

static void write_number(struct json *json, const char *key, double value)
{
	json_key(json, key);
	json_double(json, value);
}

static void write_text(struct json *json, const char *key, const char *text)
{
	json_key(json, key);
	json_text(json, text);
}

/* The task of the newest earlier run in the history, which the step is compared with; NULL: none.
 */
static const struct step_task *task_before(const struct usual_step *step, const char *run_id)
{
	const struct step_history *history = &step->history;
	const struct step_history_run *run = step_history_run(history, run_id);

	if (!run || run == history->runs)
		return NULL;
	return history->tasks[run[-1].first];
}

/* Texts that a run has in common, and that may explain a difference where they changed. */
static const struct {
	const char *key;
	size_t offset;
} TEXTS[] = {
	{ "tools", offsetof(struct step_task, tools) },
	{ "arguments", offsetof(struct step_task, arguments) },
	{ "host_type", offsetof(struct step_task, host_type) },
};

static const char *text_of(const struct step_task *task, size_t offset)
{
	return *(const char *const *)((const char *)task + offset);
}

/* What differs from the run before: {"tools": ["before", "now"], …}. */
static void write_differs(struct json *json, const struct usual_step *step, const char *run_id)
{
	const struct step_history_run *run = step_history_run(&step->history, run_id);
	const struct step_task *before = task_before(step, run_id);

	json_key(json, "differs_from_run_before");
	json_object_begin(json);
	for (size_t i = 0; before && i < sizeof(TEXTS) / sizeof(TEXTS[0]); i++) {
		const struct step_task *now = step->history.tasks[run->first];
		const char *one = text_of(before, TEXTS[i].offset);
		const char *other = text_of(now, TEXTS[i].offset);

		if (strcmp(one, other) == 0)
			continue;
		json_key(json, TEXTS[i].key);
		json_array_begin(json);
		json_text(json, one);
		json_text(json, other);
		json_array_end(json);
	}
	json_object_end(json);
	if (before)
		write_text(json, "run_before", before->run_id);
}

static char *write_evidence(const char *run_id, const struct usual_step *step,
			    const struct unusual *unusual)
{
	struct buffer out;
	struct json json;

	buffer_init(&out, 0);
	json_init(&json, &out, false);
	json_object_begin(&json);
	write_text(&json, "run_id", run_id);
	write_text(&json, "step", step->name);
	if (unusual->task)
		write_text(&json, "task_id", unusual->task->id);
	write_text(&json, "figure", unusual_kind_figure(unusual->kind));
	write_number(&json, "value", unusual->value);
	write_number(&json, "typical_low", unusual->typical_low);
	write_number(&json, "typical_median", unusual->typical_median);
	write_number(&json, "typical_high", unusual->typical_high);
	write_number(&json, "sure", unusual->confidence);
	write_number(&json, "tasks_concerned", (double)unusual->tasks);
	write_number(&json, "history_tasks", (double)unusual->history_tasks);
	write_number(&json, "history_runs", (double)unusual->history_runs);
	write_differs(&json, step, run_id);
	json_object_end(&json);
	return buffer_take(&out);
}

/* Whether two items are said in one finding: one cause often shows in the wall time, a wait and the
 * throughput of the same tasks. */
static bool is_same(const struct unusual *one, const struct unusual *other)
{
	return one->task == other->task && !unusual_is_alone(one) && !unusual_is_alone(other);
}

/* The first of the items that this one is said with. */
static const struct unusual *first_of(const struct usual *usual, const struct unusual *item)
{
	const struct unusual *first = usual->items;

	while (first != item && !is_same(first, item))
		first++;
	return first;
}

/* What all items of a finding say. NULL: no memory. */
static char *write_summary(const struct usual *usual, const struct unusual *first)
{
	struct buffer out;

	buffer_init(&out, 0);
	for (size_t i = 0; i < usual->count; i++) {
		CLEANUP(freep) char *words = NULL;

		if (first_of(usual, &usual->items[i]) != first)
			continue;
		words = unusual_words(&usual->items[i]);
		buffer_printf(&out, "%s%s", out.len ? " " : "", words ? words : "");
	}
	return buffer_take(&out);
}

static int add(const struct finding_run *run, const struct usual_step *step,
	       const struct unusual *unusual, struct findings *ret)
{
	char *subject = NULL;

	if (asprintf(&subject, "step %s", step->name) < 0)
		subject = NULL;
	return findings_add(ret, (struct finding){
					 .kind = unusual->kind->name,
					 .severity = unusual_warns(unusual) && !unusual->task
							     ? FINDING_WARNING
							     : FINDING_INFO,
					 .confidence = confidence_of(unusual),
					 .subject = subject,
					 .headline = unusual_headline(step->name, unusual),
					 .summary = write_summary(&step->usual, unusual),
					 .evidence = write_evidence(run->id, step, unusual),
					 .advice = strdup(unusual_advice(unusual)),
					 .saves_usd = -1,
					 .saves_s = -1,
				 });
}

static int add_step(const struct finding_run *run, const struct usual_step *step,
		    struct findings *ret)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < step->usual.count; i++)
		if (first_of(&step->usual, &step->usual.items[i]) == &step->usual.items[i])
			rc = add(run, step, &step->usual.items[i], ret);
	return rc;
}

int usual_findings_find(const struct finding_input *input, struct findings *ret)
{
	const struct usual_steps *steps = input->usual;
	int rc = 0;

	for (size_t i = 0; steps && rc == 0 && i < steps->count; i++)
		rc = add_step(input->run, &steps->items[i], ret);
	return rc;
}
