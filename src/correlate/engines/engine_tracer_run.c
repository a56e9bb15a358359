/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/model/run.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An option of `tracer run`; all take a value. It names the run or asks for something. */
struct option {
	const char *name;
	void (*describe)(struct run *run, const char *value);
	void (*ask)(struct request *request, const char *value);
};

static void set_pipeline(struct run *run, const char *value)
{
	run_set_pipeline(run, value, true);
}

static void set_name(struct run *run, const char *value)
{
	run_set_name(run, value, true);
}

static void add_label(struct run *run, const char *value)
{
	const char *equals = strchr(value, '=');

	if (equals)
		run_add_label(run, value, (size_t)(equals - value), equals + 1);
}

static void ask_cpus(struct request *request, const char *value)
{
	char *end;
	double cpus = strtod(value, &end);

	if (end != value && !*end && isfinite(cpus) && cpus > 0)
		request->cpus = cpus;
}

static void ask_memory(struct request *request, const char *value)
{
	uint64_t bytes;

	if (text_parse_bytes(value, &bytes) == 0)
		request->memory_bytes = bytes;
}

static const struct option options[] = {
	{ "--pipeline", set_pipeline, NULL }, { "--name", set_name, NULL },
	{ "--label", add_label, NULL },       { "--cpus", NULL, ask_cpus },
	{ "--memory", NULL, ask_memory },
};

/* The option that an argument is, its value in *ret_value: NULL where that is the next argument. */
static const struct option *find_option(const char *arg, const char **ret_value)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		size_t len = strlen(options[i].name);

		if (strncmp(arg, options[i].name, len) == 0 && (!arg[len] || arg[len] == '=')) {
			*ret_value = arg[len] ? arg + len + 1 : NULL;
			return &options[i];
		}
	}
	return NULL;
}

/* Applies the options before the command: up to "--" or the first argument that is no option. run
 * may be NULL. */
static void read_options(struct run *run, struct request *request, const struct command *command)
{
	for (size_t i = 1; i < command->count; i++) {
		const char *value;
		const struct option *option = find_option(command->args[i], &value);

		if (!option)
			return;
		if (!value && ++i < command->count)
			value = command->args[i];
		if (value && option->ask)
			option->ask(request, value);
		else if (value && run)
			option->describe(run, value);
	}
}

static bool run_begins(const struct exec_view *exec)
{
	return exec->command->count > 0 && strcmp(exec->command->args[0], "run") == 0;
}

static void run_describe(struct run *run, const struct exec_view *exec)
{
	read_options(run, &run->request, exec->command);
}

static struct request run_request(const struct exec_view *exec)
{
	struct request request = { 0 };

	read_options(NULL, &request, exec->command);
	return request;
}

const struct engine engine_tracer_run = {
	.name = "tracer run",
	.program = "tracer",
	.reported = REPORT_FROM_TASK,
	.adopts_engine = true,
	.begins = run_begins,
	.describe = run_describe,
	.request = run_request,
};
