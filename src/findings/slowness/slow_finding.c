/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/slowness/slow_finding.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "findings/threshold.h"

#define NAMED_LIMIT 20

void slow_evidence_ns(struct json *json, const char *key, double ns)
{
	slow_evidence_count(json, key, ns);
}

void slow_evidence_count(struct json *json, const char *key, double count)
{
	json_key(json, key);
	json_i64(json, count < 9e18 ? (int64_t)count : INT64_MAX);
}

void slow_evidence_text(struct json *json, const char *key, const char *text)
{
	if (!text || !*text)
		return;
	json_key(json, key);
	json_text(json, text);
}

void slow_evidence_number(struct json *json, const char *key, double number)
{
	json_key(json, key);
	json_double(json, round(number * 1000) / 1000);
}

static const char *name_of(const struct slow_task *task)
{
	return task->name && *task->name ? task->name : task->id;
}

static void write_tasks(const struct slow_group *group, struct json *json)
{
	const struct slow_task *last = &group->facts->engine_task;
	size_t count = 0;

	json_key(json, "tasks");
	json_array_begin(json);
	for (size_t i = 0; i < group->count; i++) {
		const struct slow_task *task = slow_task_of(group->facts, group->links[i]);

		if (task == last || task == &group->facts->engine_task)
			continue;
		last = task;
		if (count++ < NAMED_LIMIT)
			json_text(json, name_of(task));
	}
	json_array_end(json);
	slow_evidence_count(json, "tasks_concerned", (double)count);
}

static void write_instant(struct json *json, const char *key, int64_t at)
{
	char text[CLOCK_TEXT_SIZE];

	slow_evidence_text(json, key, clock_format(at, text));
}

static char *write_evidence(const struct slow_group *group)
{
	const struct slow_task *task = slow_task_of(group->facts, group->most);
	const struct slow_host *host = slow_host_of(group->facts, group->most);
	struct buffer out;
	struct json json;
	char *text;

	buffer_init(&out, 0);
	json_init(&json, &out, false);
	json_object_begin(&json);
	slow_evidence_text(&json, "run_id", group->facts->run_id);
	slow_evidence_text(&json, "step", group->step);
	slow_evidence_text(&json, "task_id", task->id);
	if (task != &group->facts->engine_task)
		slow_evidence_text(&json, "task", name_of(task));
	write_tasks(group, &json);
	if (host)
		slow_evidence_text(&json, "host_id", host->id);
	write_instant(&json, "since_at", group->most->span.began_at);
	write_instant(&json, "until_at", group->most->span.ended_at);
	slow_evidence_ns(&json, "run_wall_ns", group->facts->wall_ns);
	slow_evidence_ns(&json, "lost_ns", group->lost_ns);
	if (group->kind->evidence)
		group->kind->evidence(group, &json);
	json_object_end(&json);
	text = buffer_take(&out);
	buffer_clear(&out);
	return text;
}

static char *write_subject(const struct slow_group *group)
{
	const struct slowness_facts *facts = group->facts;
	bool step = group->kind->by_step && group->step && *group->step;
	char *text = NULL;

	if (asprintf(&text, "%s %s", step ? "step" : "run",
		     step                                  ? group->step
		     : facts->run_name && *facts->run_name ? facts->run_name
							   : facts->run_id) < 0)
		return NULL;
	return text;
}

static enum finding_severity severity_of(const struct slow_group *group)
{
	double ns = group->saves_ns < 0 ? group->lost_ns : group->saves_ns;

	return !group->kind->is_ordinary && ns >= threshold(SLOW_WARN) * group->facts->wall_ns
		       ? FINDING_WARNING
		       : FINDING_INFO;
}

/* Where much of the time was divided by assumption, it is less sure. */
static enum finding_confidence confidence_of(const struct slow_group *group,
					     enum finding_confidence confidence)
{
	bool assumed = group->assumed_ns > threshold(SLOW_ASSUMED) * group->span_ns;

	return assumed && confidence > CONFIDENCE_LOW ? confidence - 1 : confidence;
}

int slow_finding_add(const struct slow_group *group, struct findings *ret)
{
	struct slow_words words = { .confidence = CONFIDENCE_MEDIUM };
	int rc = group->kind->write(group, &words);

	if (rc) {
		free(words.summary);
		free(words.advice);
		free(words.headline);
		return rc;
	}
	return findings_add(
		ret, (struct finding){
			     .kind = group->kind->name,
			     .severity = severity_of(group),
			     .confidence = confidence_of(group, words.confidence),
			     .subject = write_subject(group),
			     .headline = words.headline,
			     .summary = words.summary,
			     .evidence = write_evidence(group),
			     .advice = words.advice,
			     .saves_usd = -1,
			     .saves_s = group->saves_ns < 0
						? -1
						: round(group->saves_ns / (double)NS_PER_MS) / 1000,
		     });
}
