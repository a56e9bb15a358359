/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the settings of an engine for steps of which ten tasks each were seen, with one to two
 * CPUs in use and 100 MB of memory: emit_sizes ENGINE STEP…
 */
#include <stdio.h>
#include <string.h>

#include "tune/emit/emit.h"
#include "tune/size/size.h"

#define STEPS_MAX 16
#define TASKS     10

static struct step_task tasks[STEPS_MAX * TASKS];

static size_t make_tasks(char **names, size_t count)
{
	for (size_t i = 0; i < count * TASKS; i++)
		tasks[i] = (struct step_task){
			.run_id = i % 2 ? "one" : "two",
			.id = "",
			.name = "",
			.step = names[i / TASKS],
			.started_at = (int64_t)i + 1,
			.attempt = 1,
			.end = STEP_TASK_SUCCEEDED,
			.wall_ns = 60e9,
			.cpu_ns = 61e9 + (double)(i % TASKS) * 1e9,
			.input_bytes = -1,
			.memory_peak_bytes = 100e6,
			.cpus_requested = 2,
			.memory_requested_bytes = 1e9,
		};
	return count * TASKS;
}

int main(int argc, char **argv)
{
	const struct emit_engine *engine = argc > 1 ? emit_engine_find(argv[1]) : NULL;
	const struct step_size *steps[STEPS_MAX];
	struct sizes sizes;
	struct buffer out;
	if (!engine || argc - 2 > STEPS_MAX)
		return 2;
	size_t count = make_tasks(argv + 2, (size_t)argc - 2);
	if (sizes_make(tasks, count, NULL, &sizes) != 0)
		return 1;
	for (size_t i = 0; i < sizes.count; i++)
		steps[i] = &sizes.steps[i];
	buffer_init(&out, 0);
	engine->write(&(struct emit_run){ steps, sizes.count, 2 }, &out);
	fputs(out.data, stdout);
	buffer_clear(&out);
	sizes_clear(&sizes);
	return 0;
}
