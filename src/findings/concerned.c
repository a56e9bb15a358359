/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/concerned.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cost/price.h"

#define NAMED_LIMIT 20

int concerned_make(struct concerned *concerned, const struct finding_step *step)
{
	*concerned = (struct concerned){ 0 };
	concerned->tasks = calloc(step->count, sizeof(struct finding_task *));
	return concerned->tasks ? 0 : -ENOMEM;
}

void concerned_clear(struct concerned *concerned)
{
	free(concerned->tasks);
}

void step_evidence_begin(struct evidence *evidence, const struct subject *subject,
			 const struct concerned *concerned)
{
	struct json *json = &evidence->json;
	evidence_begin(evidence, subject);
	json_key(json, "tasks_in_step");
	json_u64(json, subject->step->count);
	json_key(json, "tasks_concerned");
	json_u64(json, concerned->count);
	json_key(json, "tasks");
	json_array_begin(json);
	for (size_t i = 0; i < concerned->count && i < NAMED_LIMIT; i++) {
		const struct finding_task *task = concerned->tasks[i];
		json_text(json, task->name && task->name[0] ? task->name : task->id);
	}
	json_array_end(json);
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* The part of its host that a task keeps from others. */
static double host_share(const struct finding_task *task, double cpus, uint64_t memory_bytes)
{
	double share = larger(cpus / task->host_cpus,
			      (double)memory_bytes / (double)task->host_memory_bytes);
	return share < 1 ? share : 1;
}

double step_saving_usd(const struct concerned *concerned, double cpus, uint64_t memory_bytes)
{
	int64_t saving = 0; /* nano-dollars */
	for (size_t i = 0; i < concerned->count; i++) {
		const struct finding_task *task = concerned->tasks[i];
		if (!cost_is_known(task->host_usd_hour) || !(task->host_cpus > 0) ||
		    task->host_memory_bytes == 0 || task->wall_ns == 0)
			return -1;
		double asked = task->cpus_requested > 0
				       ? task->cpus_requested
				       : (double)task->cpu_ns / (double)task->wall_ns;
		double before = host_share(task, asked, task->memory_requested_bytes);
		double after =
			host_share(task, cpus > 0 ? cpus : asked,
				   memory_bytes > 0 ? memory_bytes : task->memory_requested_bytes);
		saving += llround((before - after) *
				  (double)cost_nusd(task->host_usd_hour, task->wall_ns));
	}
	return cost_usd(saving);
}

char *step_how_many(const struct finding_step *step, const struct concerned *concerned)
{
	char *text = NULL;
	int len = 0;
	if (step->count == 1)
		len = asprintf(&text, "Its one task");
	else if (concerned->count == step->count)
		len = asprintf(&text, "Its %zu tasks", step->count);
	else
		len = asprintf(&text, "%zu of its %zu tasks", concerned->count, step->count);
	return len < 0 ? NULL : text;
}
