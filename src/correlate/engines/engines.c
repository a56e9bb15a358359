/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include <string.h>

static const struct engine *const engines[] = {
	&engine_cwltool,    &engine_nextflow, &engine_snakemake, &engine_toil,
	&engine_tracer_run, &engine_make,     &engine_xargs,     &engine_parallel,
	&engine_luigi,      &engine_prefect,  &engine_dagster,   &engine_airflow,
	&engine_miniwdl,    &engine_cromwell, &engine_argo,      NULL
};

/* This is asked of every image, for every engine. */
static bool is_same(const char *a, const char *b)
{
	return *a == *b && strcmp(a, b) == 0;
}

const struct engine *engine_of(const struct command *command)
{
	const struct rule *rule = command->rule;
	const char *known = rule && rule->exe.count > 0 ? rule->exe.texts[0] : "";

	for (size_t i = 0; engines[i]; i++)
		if (is_same(engines[i]->program, command->subject) ||
		    is_same(engines[i]->program, known))
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
