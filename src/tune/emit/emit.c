/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/emit/emit.h"

#include <string.h>

extern const struct emit_engine emit_nextflow, emit_snakemake, emit_snakemake7, emit_slurm;

const struct emit_engine *const emit_engines[] = { &emit_nextflow, &emit_snakemake,
						   &emit_snakemake7, &emit_slurm };
const size_t emit_engine_count = sizeof(emit_engines) / sizeof(emit_engines[0]);

const struct emit_engine *emit_engine_find(const char *name)
{
	for (size_t i = 0; i < emit_engine_count; i++)
		if (strcmp(emit_engines[i]->name, name) == 0)
			return emit_engines[i];
	return NULL;
}
