/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sizes by tune/size/size.h, for bench/rightsize.sh. Reads lines of fields separated by tabs:
 *
 *     task STEP RUN NAME ATTEMPT END INPUT PEAK REQUESTED WALL_NS CPU_NS CPUS STARTED
 *     size STEP INPUT
 *     forget
 *     set RISK STEP_RISK RETRY_PRICE
 *
 * END is a number of enum step_task_end. "size" is answered by a line: memory to request in bytes,
 * by what it is multiplied in a second try, basis, tasks it rests on; by "-1" for a step without
 * history. "set" gives other options than the defaults, 0: the default.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tune/size/size.h"

#define TASKS_MAX  1000000
#define FIELDS_MAX 16

static struct step_task *tasks;
static size_t count, room;
static struct sizes sizes;
static int stale;
static struct size_options options; /* the defaults */

static void fail(const char *what)
{
	fprintf(stderr, "size_driver: %s\n", what);
	exit(1);
}

static size_t split(char *line, char **fields)
{
	size_t found = 0;
	line[strcspn(line, "\n")] = '\0';
	for (char *rest = line; rest && found < FIELDS_MAX;)
		fields[found++] = strsep(&rest, "\t");
	return found;
}

static const char *copy(const char *text)
{
	char *own = strdup(text);
	if (!own)
		fail("no memory");
	return own;
}

static void add(char **fields)
{
	if (count == room) {
		room = room ? 2 * room : 1024;
		tasks = room <= TASKS_MAX ? realloc(tasks, room * sizeof(*tasks)) : NULL;
		if (!tasks)
			fail("too many tasks");
	}
	tasks[count++] = (struct step_task){
		.id = "",
		.step = copy(fields[1]),
		.run_id = copy(fields[2]),
		.name = copy(fields[3]),
		.attempt = (unsigned)strtoul(fields[4], NULL, 10),
		.end = (enum step_task_end)strtoul(fields[5], NULL, 10),
		.input_bytes = strtod(fields[6], NULL),
		.memory_peak_bytes = strtod(fields[7], NULL),
		.memory_requested_bytes = strtod(fields[8], NULL),
		.wall_ns = strtod(fields[9], NULL),
		.cpu_ns = strtod(fields[10], NULL),
		.cpus_requested = strtod(fields[11], NULL),
		.started_at = strtoll(fields[12], NULL, 10),
		.output_bytes = -1,
		.disk_write_bytes = -1,
		.host_cpus = -1,
		.requested_by = "nextflow",
		.host_type = "",
		.tools = "",
		.arguments = "",
	};
	stale = 1;
}

static void answer(char **fields)
{
	if (stale) {
		sizes_clear(&sizes);
		if (sizes_make(tasks, count, &options, &sizes) != 0)
			fail("no memory");
		stale = 0;
	}
	const struct step_size *size = sizes_find(&sizes, fields[1]);
	if (size)
		printf("%.0f\t%g\t%s\t%zu\n",
		       size_amount_for(&size->memory, strtod(fields[2], NULL)), size->escalation[1],
		       size_basis_name(size->memory.basis), size->memory.tasks);
	else
		puts("-1");
	fflush(stdout);
}

static void forget(char **fields)
{
	(void)fields;
	for (size_t i = 0; i < count; i++) {
		free((void *)tasks[i].step);
		free((void *)tasks[i].run_id);
		free((void *)tasks[i].name);
	}
	count = 0;
	stale = 1;
}

static void set(char **fields)
{
	options.risk = strtod(fields[1], NULL);
	options.step_risk = strtod(fields[2], NULL);
	options.retry_price = strtod(fields[3], NULL);
	stale = 1;
}

static const struct {
	const char *name;
	size_t fields;
	void (*run)(char **fields);
} commands[] = {
	{ "task", 13, add }, { "size", 3, answer }, { "forget", 1, forget }, { "set", 4, set }
};

static void obey(char *line)
{
	char *fields[FIELDS_MAX];
	size_t found = split(line, fields);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(fields[0], commands[i].name) == 0 && found == commands[i].fields) {
			commands[i].run(fields);
			return;
		}
	fail("a line that is no command");
}

int main(void)
{
	char *line = NULL;
	size_t size = 0;
	while (getline(&line, &size, stdin) > 0)
		obey(line);
	free(line);
	forget(NULL);
	free(tasks);
	sizes_clear(&sizes);
	return 0;
}
