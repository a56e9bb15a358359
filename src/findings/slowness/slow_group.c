/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "findings/slowness/kind.h"

const struct slow_task *slow_task_of(const struct slowness_facts *facts,
				     const struct slow_link *link)
{
	return link->span.task == SLOW_ENGINE ? &facts->engine_task
					      : &facts->tasks[link->span.task];
}

const struct slow_host *slow_host_of(const struct slowness_facts *facts,
				     const struct slow_link *link)
{
	size_t host = slow_task_of(facts, link)->host;

	return host < facts->host_count ? &facts->hosts[host] : NULL;
}

const struct slow_cgroup *slow_cgroup_of(const struct slowness_facts *facts,
					 const struct slow_link *link)
{
	size_t cgroup = slow_task_of(facts, link)->cgroup;

	return cgroup < facts->cgroup_count ? &facts->cgroups[cgroup] : NULL;
}

static double figure_at(const struct slow_figures *figures, size_t figure)
{
	double value;

	memcpy(&value, (const char *)figures + figure, sizeof(value));
	return value;
}

bool slow_is_of(const struct slow_group *group, const char *step)
{
	if (group->step)
		return strcmp(group->step, step) == 0;
	for (size_t i = 0; i < group->count; i++)
		if (strcmp(slow_task_of(group->facts, group->links[i])->step, step) == 0)
			return true;
	return false;
}

const struct slow_tool *slow_tool_of(const struct slow_group *group, size_t figure)
{
	const struct slowness_facts *facts = group->facts;
	const struct slow_tool *most = NULL;

	for (size_t i = 0; i < facts->tool_count; i++) {
		const struct slow_tool *tool = &facts->tools[i];

		if (figure_at(&tool->figures, figure) > 0 && slow_is_of(group, tool->step) &&
		    (!most ||
		     figure_at(&tool->figures, figure) > figure_at(&most->figures, figure)))
			most = tool;
	}
	return most;
}

const struct slow_tool *slow_most_of(const struct slowness_facts *facts,
				     const struct slow_link *link, size_t figure)
{
	const struct slow_group group = { .facts = facts, .step = slow_task_of(facts, link)->step };

	return slow_tool_of(&group, figure);
}

char *slow_where(const struct slow_group *group, const struct slow_tool *tool)
{
	const char *step = slow_task_of(group->facts, group->most)->step;
	const char *name = tool ? tool->name : step;
	char *text = NULL;
	int len;

	if (!*name)
		len = asprintf(&text, "the run's own script");
	else if (!*step || strstr(step, name))
		len = asprintf(&text, "`%s`", name);
	else
		len = asprintf(&text, "`%s` of step %s", name, step);
	return len < 0 ? NULL : text;
}

double slow_cpu_ns(const struct slow_figures *figures)
{
	return figures->user_ns + figures->kernel_ns;
}

static void add(struct slow_figures *sum, const struct slow_figures *of)
{
#define ADD(name) sum->name += of->name;
	double threads = sum->threads_peak, rss = sum->rss_peak_bytes;

	SLOW_FIGURES(ADD)
	sum->executions += of->executions;
	sum->threads_peak = threads > of->threads_peak ? threads : of->threads_peak;
	sum->rss_peak_bytes = rss > of->rss_peak_bytes ? rss : of->rss_peak_bytes;
#undef ADD
}

/* Links of one task follow each other. */
struct slow_figures slow_sum(const struct slow_group *group)
{
	const struct slow_task *last = NULL;
	struct slow_figures sum = { 0 };

	for (size_t i = 0; i < group->count; i++) {
		const struct slow_task *task = slow_task_of(group->facts, group->links[i]);

		if (i == 0 || task != last)
			add(&sum, &task->figures);
		last = task;
	}
	return sum;
}
