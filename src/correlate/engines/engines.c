/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include <string.h>

/*
 * All engines, a line each: engine_NAME.c defines `const struct engine engine_NAME`. The first that
 * matches is taken; `tool` is last: it takes every root of a run that no other engine takes.
 */
#define ENGINES(ENGINE)    \
	ENGINE(cwltool)    \
	ENGINE(nextflow)   \
	ENGINE(snakemake)  \
	ENGINE(toil)       \
	ENGINE(tracer_run) \
	ENGINE(make)       \
	ENGINE(xargs)      \
	ENGINE(parallel)   \
	ENGINE(luigi)      \
	ENGINE(prefect)    \
	ENGINE(dagster)    \
	ENGINE(airflow)    \
	ENGINE(miniwdl)    \
	ENGINE(cromwell)   \
	ENGINE(argo)       \
	ENGINE(slurm)      \
	ENGINE(script)     \
	ENGINE(session)    \
	ENGINE(command)    \
	ENGINE(tool)

#define DECLARE(name) extern const struct engine engine_##name;
#define ENTRY(name)   &engine_##name,

ENGINES(DECLARE)
static const struct engine *const engines[] = { ENGINES(ENTRY) NULL };

/* Compared with each image's program, for each engine. */
static bool is_same(const char *a, const char *b)
{
	return *a == *b && strcmp(a, b) == 0;
}

bool engine_begins(const struct engine *engine, const struct exec_view *exec)
{
	return !engine->begins || engine->begins(exec);
}

const struct engine *engine_of(const struct command *command)
{
	const struct rule *rule = command->rule;
	const char *known = rule && rule->exe.count > 0 ? rule->exe.texts[0] : "";

	for (size_t i = 0; engines[i]; i++)
		if (engines[i]->program && (is_same(engines[i]->program, command->subject) ||
					    is_same(engines[i]->program, known)))
			return engines[i];
	return NULL;
}

static bool is_root(const struct engine *engine, const struct exec_view *exec)
{
	if (engine->program && engine_of(exec->command) != engine)
		return false;
	return !engine->is_root || engine->is_root(exec);
}

const struct engine *engine_of_root(enum run_root_kind kind, const struct exec_view *exec)
{
	for (size_t i = 0; engines[i] && kind != RUN_ROOT_NONE; i++)
		if (engines[i]->root_kind == kind && is_root(engines[i], exec))
			return engines[i];
	return NULL;
}

const struct engine *engine_of_job(const struct exec_view *exec)
{
	for (size_t i = 0; engines[i]; i++)
		if (engines[i]->is_job && engines[i]->is_job(exec))
			return engines[i];
	return NULL;
}

const struct engine *engine_of_fan(uint8_t role)
{
	for (size_t i = 0; engines[i]; i++)
		if (engines[i]->fans_out && engines[i]->fan_role == role)
			return engines[i];
	return NULL;
}

const struct engine *engine_of_job_daemon(const char *exe)
{
	for (size_t i = 0; engines[i]; i++)
		if (engines[i]->is_job_daemon && engines[i]->is_job_daemon(exe))
			return engines[i];
	return NULL;
}

const struct engine *engine_of_job_script(const struct command *command)
{
	for (size_t i = 0; engines[i]; i++)
		if (engines[i]->is_job_script && engines[i]->is_job_script(command))
			return engines[i];
	return NULL;
}

const struct engine *engine_of_job_client(const struct command *command)
{
	for (size_t i = 0; engines[i]; i++)
		if (engines[i]->job_client && strcmp(engines[i]->job_client, command->subject) == 0)
			return engines[i];
	return NULL;
}
