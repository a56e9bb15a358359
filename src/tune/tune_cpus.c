/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "tune/tune_step.h"

static const struct {
	uint64_t wall_ns;   /* shorter tasks are all start and end */
	double spare;       /* a part of a CPU that a helper thread takes asks for no CPU more */
	double over;        /* times what is advised */
	double saturated;   /* of the host's CPUs: it might have used more, had there been more */
	double warn_excess; /* idle CPUs beside it: another task would fit */
} threshold = { .wall_ns = NS_PER_S, .spare = 0.25, .over = 2, .saturated = 0.8, .warn_excess = 2 };

static double used_cpus(const struct tune_task *task)
{
	return (double)task->cpu_ns / (double)task->wall_ns;
}

static bool says_something(const struct tune_task *task)
{
	return task->ended && task->wall_ns >= threshold.wall_ns;
}

/* The most that a task of the step used on average; < 0: none says anything, or one had all that
 * its host could give. */
static double most_used(const struct tune_step *step)
{
	double most = -1;
	for (size_t i = 0; i < step->count; i++) {
		const struct tune_task *task = step->tasks[i];
		if (!says_something(task))
			continue;
		if (task->host_cpus > 1 && used_cpus(task) >= threshold.saturated * task->host_cpus)
			return -1;
		if (used_cpus(task) > most)
			most = used_cpus(task);
	}
	return most;
}

static double choose(const struct tune_step *step, double advised, struct tune_concerned *concerned)
{
	double asked = 0;
	for (size_t i = 0; i < step->count; i++) {
		const struct tune_task *task = step->tasks[i];
		if (!says_something(task) || !task->succeeded ||
		    task->cpus_requested < threshold.over * advised)
			continue;
		concerned->tasks[concerned->count++] = task;
		if (task->cpus_requested > asked)
			asked = task->cpus_requested;
	}
	return asked;
}

static char *write_evidence(const struct tune_step *step, const struct tune_concerned *concerned,
			    double asked, double used, double advised)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };
	struct json json;
	uint64_t cpu_ns = 0, wall_ns = 0;
	for (size_t i = 0; i < concerned->count; i++) {
		cpu_ns += concerned->tasks[i]->cpu_ns;
		wall_ns += concerned->tasks[i]->wall_ns;
	}
	buffer_init(&out, 0);
	json_init(&json, &out, false);
	tune_evidence_begin(&json, step, concerned);
	json_key(&json, "cpus_requested");
	json_double(&json, asked);
	json_key(&json, "cpus_used");
	json_double(&json, round(used * 1000) / 1000);
	json_key(&json, "cpus_advised");
	json_double(&json, advised);
	json_key(&json, "cpu_ns");
	json_u64(&json, cpu_ns);
	json_key(&json, "wall_ns");
	json_u64(&json, wall_ns);
	json_object_end(&json);
	return buffer_take(&out);
}

static char *write_summary(const struct tune_step *step, const struct tune_concerned *concerned,
			   double asked, double used)
{
	char *text = NULL;
	CLEANUP(freep) char *who = tune_how_many(step, concerned);
	if (!who || asprintf(&text, "%s asked for %s%g CPUs and kept at most %.1f busy.", who,
			     concerned->count > 1 ? "up to " : "", asked, used) < 0)
		return NULL;
	return text;
}

int tune_cpus(const struct tune_step *step, struct findings *ret)
{
	CLEANUP(tune_concerned_clear) struct tune_concerned concerned = { 0 };
	double used = most_used(step);
	double advised = fmax(1, ceil(used - threshold.spare));
	if (used < 0)
		return 0;
	int rc = tune_concerned_make(&concerned, step);
	if (rc != 0)
		return rc;
	double asked = choose(step, advised, &concerned);
	if (concerned.count == 0)
		return 0;
	bool warn = asked - advised >= threshold.warn_excess;
	return findings_add(
		ret, (struct finding){
			     .kind = "cpus_overrequested",
			     .severity = warn ? FINDING_WARNING : FINDING_INFO,
			     .subject = tune_subject(step),
			     .summary = write_summary(step, &concerned, asked, used),
			     .evidence = write_evidence(step, &concerned, asked, used, advised),
			     .advice = tune_cpus_advice(step, concerned.tasks[0]->requested_by,
							(unsigned)advised),
			     .saves_usd = tune_saving_usd(&concerned, advised, 0),
			     .saves_s = -1,
		     });
}
