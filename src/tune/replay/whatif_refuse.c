/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/replay/whatif_refuse.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CORES_FACTOR   4    /* times as many as measured: beyond, how tasks scale was not seen */
#define UNKNOWN        0.3  /* of the wall time of the tasks */
#define CONTRADICTIONS 0.05 /* of the edges */
#define OFF            0.25 /* of the run, that its replay as it was may be off */
#define MIB            1048576.0

__attribute__((format(printf, 2, 3))) static bool refuse(struct whatif *whatif, const char *format,
							 ...)
{
	va_list args;

	va_start(args, format);
	(void)vsnprintf(whatif->refused, sizeof(whatif->refused), format, args);
	va_end(args);
	return true;
}

static bool has_step(const struct replay_run *run, const char *step)
{
	for (size_t i = 0; i < run->task_count; i++)
		if (strcmp(run->tasks[i].step, step) == 0)
			return true;
	return false;
}

static size_t ran(const struct replay_run *run)
{
	size_t count = 0;

	for (size_t i = 0; i < run->task_count; i++)
		count += replay_task_ran(&run->tasks[i]);
	return count;
}

bool whatif_refuse_run(const struct replay_run *run, struct whatif *whatif)
{
	if (strcmp(run->status, "succeeded") != 0 && strcmp(run->status, "failed") != 0)
		return refuse(whatif,
			      "The run is %s: only a run that came to its own end is replayed.",
			      run->status);
	if (!run->complete || run->task_count > WHATIF_TASKS_MAX)
		return refuse(whatif, "The run has more tasks or files between them than are "
				      "replayed (100,000).");
	if (run->hosts != 1)
		return refuse(whatif,
			      "The run was on %zu hosts: only runs on one host are replayed.",
			      run->hosts);
	if (!(run->host_cpus > 0))
		return refuse(whatif, "How many CPUs the host has is not recorded.");
	if (ran(run) == 0 || run->ended_at <= run->began_at)
		return refuse(whatif, "No task of the run began and ended while it was watched.");
	return false;
}

/* The part of the wall time of the tasks of which it is not known what it was. */
static double unknown_part(const struct replay_run *run, const struct replay_graph *graph)
{
	double unknown = 0, all = 0;

	for (size_t i = 1; i + 1 < graph->plan.job_count; i++) {
		const struct replay_task *task = &run->tasks[graph->tasks[i]];

		unknown += graph->shapes[i].unknown_ns;
		all += (double)(task->ended_at - task->started_at);
	}
	return all > 0 ? unknown / all : 1;
}

static bool has_cpu(const struct replay_run *run)
{
	for (size_t i = 0; i < run->task_count; i++)
		if (run->tasks[i].cpu_ns > 0)
			return true;
	return false;
}

static bool refuse_memory(const struct replay_run *run, const struct whatif_ask *ask,
			  struct whatif *whatif)
{
	for (size_t i = 0; i < run->task_count && ask->memory_bytes > 0; i++) {
		const struct replay_task *task = &run->tasks[i];

		if (!replay_task_ran(task))
			continue;
		if (task->memory_bytes > ask->memory_bytes)
			return refuse(whatif,
				      "It would not fit: task %.80s used up to %.0f MiB, and there "
				      "would be %.0f MiB.",
				      *task->name ? task->name : task->step,
				      task->memory_bytes / MIB, ask->memory_bytes / MIB);
		if (!(task->memory_bytes > 0))
			return refuse(whatif,
				      "How much memory task %.80s used is not recorded: whether "
				      "it would fit is not known.",
				      *task->name ? task->name : task->step);
	}
	return false;
}

bool whatif_refuse_graph(const struct replay_run *run, const struct replay_graph *graph,
			 struct whatif *whatif)
{
	double unknown = unknown_part(run, graph);

	if (!has_cpu(run))
		return refuse(whatif, "The run has no records of CPU time.");
	if (unknown > UNKNOWN)
		return refuse(whatif,
			      "What the tasks did is not known for %.0f %% of their time: too "
			      "much for an answer.",
			      100 * unknown);
	if ((double)graph->contradictions > CONTRADICTIONS * (double)graph->edges)
		return refuse(whatif,
			      "The files between tasks contradict each other (%zu of %zu were "
			      "read before they can have been written): records were lost.",
			      graph->contradictions, graph->edges);
	return false;
}

bool whatif_refuse_ask(const struct replay_run *run, const struct whatif_ask *ask,
		       struct whatif *whatif)
{
	for (size_t i = 0; i < ask->step_count; i++)
		if (!has_step(run, ask->steps[i].step))
			return refuse(whatif, "The run has no step named %.100s.",
				      ask->steps[i].step);
	if (ask->cores > CORES_FACTOR * whatif->measured_cores)
		return refuse(whatif,
			      "The run was measured on %.3g cores: how it would scale to more than "
			      "%.3g was not seen.",
			      whatif->measured_cores, CORES_FACTOR * whatif->measured_cores);
	return refuse_memory(run, ask, whatif);
}

bool whatif_refuse_replay(struct whatif *whatif)
{
	double off = whatif->replayed_ns / whatif->measured_ns;

	if (off >= 1 - OFF && off <= 1 / (1 - OFF))
		return false;
	return refuse(
		whatif,
		"Replayed as it was, the run takes %.1f s; it took %.1f s: its records do not "
		"explain it.",
		whatif->replayed_ns / 1e9, whatif->measured_ns / 1e9);
}
