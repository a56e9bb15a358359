/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "findings/finder.h"

static const char *either(const char *text, const char *other)
{
	return text && text[0] ? text : other;
}

static const char *task_name(const struct subject *subject)
{
	return either(subject->task->name, subject->task->id);
}

static const char *step_name(const struct subject *subject)
{
	return subject->step->name;
}

static const char *run_name(const struct subject *subject)
{
	return either(subject->run->name, subject->run->id);
}

static const char *budget_name(const struct subject *subject)
{
	return subject->budget->name;
}

static const char *task_id(const struct subject *subject)
{
	return subject->task->id;
}

static const char *run_id(const struct subject *subject)
{
	return subject->run->id;
}

/* How each kind of subject is named in the text of a finding, and identified in its evidence. */
static const struct {
	const char *noun;
	const char *(*name)(const struct subject *subject);
	const char *key;
	const char *(*id)(const struct subject *subject);
} kinds[] = {
	[SUBJECT_TASK] = { "task", task_name, "task_id", task_id },
	[SUBJECT_STEP] = { "step", step_name, "step", step_name },
	[SUBJECT_RUN] = { "run", run_name, "run_id", run_id },
	[SUBJECT_BUDGET] = { "budget", budget_name, "budget", budget_name },
};

int finding_add(const struct subject *subject, struct finding finding, struct findings *ret)
{
	enum subject_kind kind = subject->finder->subject;

	finding.kind = subject->finder->name;
	if (asprintf(&finding.subject, "%s %s", kinds[kind].noun, kinds[kind].name(subject)) < 0)
		finding.subject = NULL;
	return findings_add(ret, finding);
}

void evidence_begin(struct evidence *evidence, const struct subject *subject)
{
	enum subject_kind kind = subject->finder->subject;

	buffer_init(&evidence->out, 0);
	json_init(&evidence->json, &evidence->out, false);
	json_object_begin(&evidence->json);
	json_key(&evidence->json, kinds[kind].key);
	json_text(&evidence->json, kinds[kind].id(subject));
}

char *evidence_end(struct evidence *evidence)
{
	char *text;

	json_object_end(&evidence->json);
	text = buffer_take(&evidence->out);
	buffer_clear(&evidence->out);
	return text;
}
