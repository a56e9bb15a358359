/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "findings/concerned.h"
#include "findings/request_advice.h"
#include "tune/size/size.h"

static double used_cpus(const struct finding_task *task)
{
	return (double)task->cpu_ns / (double)task->wall_ns;
}

static bool is_measured(const struct finding_task *task)
{
	return task->ended && task->wall_ns >= (uint64_t)threshold(CPUS_WALL);
}

/* The most that a task of the step used on average; < 0: none is measured, or one had all that
 * its host could give. */
static double most_used(const struct finding_step *step)
{
	double most = -1;
	for (size_t i = 0; i < step->count; i++) {
		const struct finding_task *task = step->tasks[i];
		if (!is_measured(task))
			continue;
		if (task->host_cpus > 1 &&
		    used_cpus(task) >= threshold(CPUS_SATURATED) * task->host_cpus)
			return -1;
		if (used_cpus(task) > most)
			most = used_cpus(task);
	}
	return most;
}

/* By the history of the step, else by what this run used; < 0: nothing is advised. */
static double advised_cpus(const struct finding_step *step, double used)
{
	const struct size_cpus *cpus = step->size ? &step->size->cpus : NULL;

	if (!cpus || cpus->tasks < SIZE_TASKS_MIN)
		return fmax(1, ceil(used - threshold(CPUS_SPARE)));
	return cpus->wants_more ? -1 : cpus->advised;
}

static double choose(const struct finding_step *step, double advised, struct concerned *concerned)
{
	double asked = 0;
	for (size_t i = 0; i < step->count; i++) {
		const struct finding_task *task = step->tasks[i];
		if (!is_measured(task) || !task->succeeded ||
		    task->cpus_requested < threshold(CPUS_OVER) * advised)
			continue;
		concerned->tasks[concerned->count++] = task;
		if (task->cpus_requested > asked)
			asked = task->cpus_requested;
	}
	return asked;
}

static char *write_evidence(const struct subject *subject, const struct concerned *concerned,
			    double asked, double used, double advised)
{
	struct evidence evidence;
	struct json *json = &evidence.json;
	uint64_t cpu_ns = 0, wall_ns = 0;
	for (size_t i = 0; i < concerned->count; i++) {
		cpu_ns += concerned->tasks[i]->cpu_ns;
		wall_ns += concerned->tasks[i]->wall_ns;
	}
	step_evidence_begin(&evidence, subject, concerned);
	json_key(json, "cpus_requested");
	json_double(json, asked);
	json_key(json, "cpus_used");
	json_double(json, round(used * 1000) / 1000);
	json_key(json, "cpus_advised");
	json_double(json, advised);
	json_key(json, "cpu_ns");
	json_u64(json, cpu_ns);
	json_key(json, "wall_ns");
	json_u64(json, wall_ns);
	return evidence_end(&evidence);
}

static char *write_summary(const struct finding_step *step, const struct concerned *concerned,
			   double asked, double used)
{
	char *text = NULL;
	CLEANUP(freep) char *who = step_how_many(step, concerned);
	if (!who || asprintf(&text, "%s asked for %s%g CPUs and kept at most %.1f busy.", who,
			     concerned->count > 1 ? "up to " : "", asked, used) < 0)
		return NULL;
	return text;
}

static int find(const struct subject *subject, struct findings *ret)
{
	const struct finding_step *step = subject->step;
	CLEANUP(concerned_clear) struct concerned concerned = { 0 };
	double used = most_used(step);
	double advised = advised_cpus(step, used);
	if (used < 0 || advised <= 0)
		return 0;
	int rc = concerned_make(&concerned, step);
	if (rc != 0)
		return rc;
	double asked = choose(step, advised, &concerned);
	if (concerned.count == 0)
		return 0;
	bool warn = asked - advised >= threshold(CPUS_WARN_EXCESS);
	return finding_add(
		subject,
		(struct finding){
			.severity = warn ? FINDING_WARNING : FINDING_INFO,
			.confidence = CONFIDENCE_HIGH,
			.summary = write_summary(step, &concerned, asked, used),
			.evidence = write_evidence(subject, &concerned, asked, used, advised),
			.advice = cpus_advice(subject->run->engine,
					      concerned.tasks[0]->requested_by, (unsigned)advised),
			.saves_usd = step_saving_usd(&concerned, advised, 0),
			.saves_s = -1,
		},
		ret);
}

const struct finder finder_step_cpus = {
	.name = "cpus_overrequested",
	.subject = SUBJECT_STEP,
	.find = find,
};
