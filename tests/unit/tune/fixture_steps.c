/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_steps.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

#define S   1e9
#define DAY (86400 * (int64_t)S)

void assert_near(double seen, double wanted, double tolerance)
{
	if (!(fabs(seen - wanted) <= tolerance))
		fail_msg("%.9g is not %.9g (within %g)", seen, wanted, tolerance);
}

void steps_begin(struct steps *steps)
{
	steps->count = 0;
}

struct step_task *steps_add(struct steps *steps, unsigned run)
{
	size_t at = steps->count++;
	struct step_task *task = &steps->tasks[at];

	assert_true(at < STEPS_MOST);
	snprintf(steps->texts[at][0], sizeof(steps->texts[at][0]), "run-%u", run);
	snprintf(steps->texts[at][1], sizeof(steps->texts[at][1]), "task-%zu", at);
	*task = (struct step_task){
		.run_id = steps->texts[at][0],
		.id = steps->texts[at][1],
		.step = "map",
		.name = "map",
		.started_at = (int64_t)run * DAY + (int64_t)at,
		.ended_at = (int64_t)run * DAY + 100 * (int64_t)S,
		.attempt = 1,
		.end = STEP_TASK_SUCCEEDED,
		.wall_ns = 100 * S,
		.cpu_ns = 80 * S,
		.input_bytes = 1e9,
		.read_bytes = 1e9,
		.memory_peak_bytes = 1e9,
		.disk_read_bytes = 1e9,
		.disk_write_bytes = 1e9,
		.network_bytes = 0,
		.output_bytes = 1e9,
		.cpus_requested = 2,
		.memory_requested_bytes = 2e9,
		.requested_by = "nextflow",
		.host_cpus = 8,
		.host_memory_bytes = 32e9,
		.host_type = "m6i.2xlarge",
		.tools = "bwa 0.7.17",
		.arguments = "",
	};
	task->parts[WALL_COMPUTING] = 80 * S;
	task->parts[WALL_DISK] = 15 * S;
	task->parts[WALL_NETWORK] = 5 * S;
	return task;
}

void steps_slow(struct step_task *task, double factor)
{
	task->wall_ns *= factor;
	task->cpu_ns *= factor;
	for (size_t i = 0; i < WALL_PARTS; i++)
		task->parts[i] *= factor;
}

void steps_add_run(struct steps *steps, unsigned run, unsigned tasks)
{
	static const double of_run[] = { 1, 1.05, 0.94, 1.02, 0.97, 1.08, 0.92 };
	static const double of_task[] = { 1, 1.1, 0.93, 1.04, 0.9, 1.15, 0.97, 0.99, 1.06, 0.95 };

	for (unsigned i = 0; i < tasks; i++) {
		struct step_task *task = steps_add(steps, run);
		double factor = of_run[run % 7] * of_task[(i + 3 * run) % 10];
		steps_slow(task, factor);
		task->memory_peak_bytes *= 1 + (factor - 1) / 4;
	}
}

/* The columns of tests/data/nfcore that are read, by their place. */
enum column {
	RUN,
	ID,
	STEP,
	NAME,
	STATUS,
	ATTEMPT,
	HOST = 7,
	CPUS = 11,
	MEMORY,
	STARTED = 15,
	WALL = 17,
	PCPU,
	PEAK = 20,
	READ,
	WRITTEN,
	COLUMNS = 25
};

static char *nfcore_text; /* what the tasks point to */

static double number(const char *text)
{
	return *text ? strtod(text, NULL) : -1;
}

/* "2025-09-26T14:07:37Z" as ns; the order and the distances within a month are right. */
static int64_t instant(const char *text)
{
	int month = 0, day = 0, hour = 0, minute = 0, second = 0;
	assert_int_equal(sscanf(text, "%*d-%d-%dT%d:%d:%dZ", &month, &day, &hour, &minute, &second),
			 5);
	return ((((int64_t)month * 31 + day) * 24 + hour) * 3600 + minute * 60 + second) *
	       (int64_t)S;
}

static struct step_task task_of(char *const *field)
{
	struct step_task task = {
		.run_id = field[RUN],
		.id = field[ID],
		.step = field[STEP],
		.name = field[NAME],
		.attempt = (unsigned)number(field[ATTEMPT]),
		.end = strcmp(field[STATUS], "COMPLETED") == 0 ? STEP_TASK_SUCCEEDED
							       : STEP_TASK_FAILED,
		.started_at = instant(field[STARTED]),
		.wall_ns = number(field[WALL]) * 1e6,
		.input_bytes = number(field[READ]),
		.read_bytes = number(field[READ]),
		.memory_peak_bytes = number(field[PEAK]),
		.disk_read_bytes = number(field[READ]),
		.disk_write_bytes = number(field[WRITTEN]),
		.network_bytes = -1,
		.output_bytes = -1,
		.cpus_requested = number(field[CPUS]),
		.memory_requested_bytes = number(field[MEMORY]),
		.requested_by = "nextflow",
		.host_type = field[HOST],
		.tools = "",
		.arguments = "",
	};
	task.ended_at = task.started_at + (int64_t)task.wall_ns;
	task.cpu_ns = *field[PCPU] ? task.wall_ns * number(field[PCPU]) / 100 : -1;
	return task;
}

struct step_task *nfcore_read(const char *name, size_t *ret_count)
{
	char path[512], *line, *next;
	size_t len;
	struct step_task *tasks = calloc(708, sizeof(*tasks));

	assert_non_null(tasks);
	snprintf(path, sizeof(path), TESTS_DIR "/data/nfcore/%s.tsv", name);
	assert_int_equal(file_read(AT_FDCWD, path, 1 << 20, &nfcore_text, &len), 0);
	*ret_count = 0;
	next = strchr(nfcore_text, '\n') + 1;
	while ((line = strsep(&next, "\n")) && *line) {
		char *fields[COLUMNS];
		for (size_t i = 0; i < COLUMNS; i++)
			assert_non_null(fields[i] = strsep(&line, "\t"));
		assert_true(*ret_count < 708);
		tasks[(*ret_count)++] = task_of(fields);
	}
	return tasks;
}

void nfcore_free(struct step_task *tasks)
{
	free(tasks);
	free(nfcore_text);
	nfcore_text = NULL;
}

static int ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);
	return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

size_t nfcore_step(const struct step_task *tasks, size_t count, const char *step,
		   struct step_task *ret)
{
	size_t found = 0;
	for (size_t i = 0; i < count; i++)
		if (ends_with(tasks[i].step, step))
			ret[found++] = tasks[i];
	return found;
}
