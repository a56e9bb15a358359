/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "cost/sheet_fill.h"
#include "cost/sheet_private.h"
#include "signal/bounds.h"

typedef unsigned __int128 wide;

/* Until an instant, since the begin of the hold. */
static uint64_t cpu_until(const struct sheet_hold *hold, int64_t at)
{
	uint64_t since_at = (uint64_t)hold->hold.since_at;

	if (at <= hold->hold.since_at)
		return 0;
	if (at >= hold->hold.until_at)
		return hold->cpu_ns;
	return (uint64_t)((wide)hold->cpu_ns * ((uint64_t)at - since_at) /
			  ((uint64_t)hold->hold.until_at - since_at));
}

uint64_t sheet_hold_cpu(const struct sheet_hold *hold, int64_t since_at, int64_t until_at)
{
	int64_t at = hold->hold.since_at;

	if (hold->hold.until_at <= at)
		return since_at <= at && at < until_at ? hold->cpu_ns : 0;
	return cpu_until(hold, until_at) - cpu_until(hold, since_at);
}

static const char *keep(struct sheet *sheet, const char *text)
{
	return sheet_text(sheet, text ? text : "", text ? strlen(text) : 0);
}

static int fill_task(struct sheet *sheet, struct sheet_task *task,
		     const struct sheet_hold_facts *facts)
{
	const struct hash_seed seed = { { sheet->runs[facts->run].hash, 0 } };

	*task = (struct sheet_task){ .host = facts->host,
				     .run = facts->run,
				     .hash = hash_bytes(seed, facts->task, strlen(facts->task)),
				     .id = sheet_copy(facts->task),
				     .step = keep(sheet, facts->step),
				     .name = sheet_copy(facts->name),
				     .sample = keep(sheet, facts->sample),
				     .container = keep(sheet, facts->container),
				     .pod = keep(sheet, facts->pod),
				     .input_bytes = facts->input_bytes,
				     .first_tool = SIZE_MAX,
				     .priced = true };
	return task->id && task->step && task->name && task->sample && task->container && task->pod
		       ? 0
		       : -ENOMEM;
}

/* The task of a hold: what is in no task of a run on a host is one. */
static int find_task(struct sheet *sheet, const struct sheet_hold_facts *facts, size_t *ret)
{
	const size_t place[2] = { facts->run, facts->host };
	struct map_text_key key;
	size_t at = 0;

	if (!*facts->task) {
		key = map_text_key((const char *)place, sizeof(place));
		at = (size_t)(uintptr_t)map_get(sheet->task_index, &key);
	}
	*ret = at - 1;
	if (at)
		return 0;
	if (!SHEET_GROW(sheet->tasks, sheet->task_count))
		return -ENOMEM;
	*ret = sheet->task_count++;
	if (fill_task(sheet, &sheet->tasks[*ret], facts))
		return -ENOMEM;
	return *facts->task || !map_put(sheet->task_index, &key, (void *)(uintptr_t)(*ret + 1))
		       ? 0
		       : -ENOMEM;
}

static uint64_t mean(uint64_t amount, uint64_t times, uint64_t length)
{
	wide product = length ? (wide)amount * times / length : 0;

	return product > COST_AMOUNT_LIMIT ? COST_AMOUNT_LIMIT : (uint64_t)product;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* task: its hash. */
static void fill_hold(uint64_t task, const struct sheet_hold_facts *facts, struct cost_hold *ret)
{
	uint64_t length = facts->until_at > facts->since_at
				  ? (uint64_t)facts->until_at - (uint64_t)facts->since_at
				  : 0;
	double cpus = facts->cpus_requested > 0 && facts->cpus_requested <= BOUND_CPUS
			      ? facts->cpus_requested
			      : 0;

	*ret = (struct cost_hold){ .since_at = facts->since_at,
				   .until_at = facts->until_at,
				   .key = task + (uint64_t)facts->since_at };
	ret->reserved[COST_CPU] = (uint64_t)llround(cpus * COST_MILLION);
	ret->reserved[COST_MEMORY] = facts->memory_requested_bytes >> 10;
	ret->used[COST_CPU] = mean(facts->cpu_ns, COST_MILLION, length);
	ret->used[COST_MEMORY] = facts->memory_bytes >> 10;
	ret->used[COST_GPU] = mean(facts->gpu_busy_ns, COST_MILLION, length);
	ret->reserved[COST_GPU] = mean(facts->gpus, COST_MILLION, 1);
	for (size_t kind = 0; kind < COST_KINDS; kind++)
		ret->held[kind] = larger(ret->reserved[kind], ret->used[kind]);
}

int sheet_add_hold(struct sheet *sheet, const struct sheet_hold_facts *facts)
{
	struct sheet_hold *hold;
	size_t task = 0;

	if (!SHEET_GROW(sheet->holds, sheet->hold_count) || find_task(sheet, facts, &task) ||
	    sheet_add_tools(sheet, task, facts->tools ? facts->tools : ""))
		return -ENOMEM;
	hold = &sheet->holds[sheet->hold_count++];
	hold->task = task;
	hold->cpu_ns = facts->cpu_ns < INT64_MAX ? facts->cpu_ns : INT64_MAX;
	fill_hold(sheet->tasks[task].hash, facts, &hold->hold);
	sheet->tasks[task].cpu_ns = sheet_sum(
		sheet->tasks[task].cpu_ns, sheet_hold_cpu(hold, sheet->since_at, sheet->until_at));
	return sheet_add_up(sheet, facts->host, facts->since_at, facts->until_at);
}
