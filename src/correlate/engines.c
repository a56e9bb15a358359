#include "correlate/engine.h"

#include <string.h>

static const struct engine *const engines[] = { &engine_snakemake, &engine_tracer_run, NULL };

const struct engine *engine_of(const struct command *command)
{
	for (size_t i = 0; engines[i]; i++)
		if (strcmp(engines[i]->program, command->subject) == 0)
			return engines[i];
	return NULL;
}
