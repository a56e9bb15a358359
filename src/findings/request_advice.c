/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/request_advice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"

/* What engines and schedulers call a request; where it is written, and how. MB and M are
 * as each of them reads it: never less than what is needed. */
static const struct words {
	const char *engine;
	const char *where;
	const char *memory_before, *memory_after;
	const char *cpus_before, *cpus_after;
} table[] = {
	{ "snakemake", "in its rule", "resources: mem_mb=", "", "threads: ", "" },
	{ "nextflow", "in its process", "memory = '", " MB'", "cpus = ", "" },
	{ "cwl", "in its ResourceRequirement", "ramMin: ", "", "coresMin: ", "" },
	{ "cwltool", "in its ResourceRequirement", "ramMin: ", "", "coresMin: ", "" },
	{ "toil", "in its ResourceRequirement", "ramMin: ", "", "coresMin: ", "" },
	{ "slurm", "in its script", "#SBATCH --mem=", "M", "#SBATCH --cpus-per-task=", "" },
	{ "tracer run", "where it is started", "tracer run --memory ", "M", "tracer run --cpus ",
	  "" },
	{ "cgroup", "in its container's limits", "--memory=", "m", "--cpus=", "" },
};

static const struct words *find(const char *engine)
{
	for (size_t i = 0; engine && i < sizeof(table) / sizeof(table[0]); i++)
		if (strcasecmp(engine, table[i].engine) == 0)
			return &table[i];
	return NULL;
}

/* The engine's own words first; then those of what had asked, where that is another. */
static char *write_advice(const char *engine, const char *requested_by, unsigned long long amount,
			  bool memory)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };
	const struct words *choices[] = { find(engine), find(requested_by) };
	buffer_init(&out, 4096);
	for (size_t i = 0; i < 2; i++) {
		const struct words *words = choices[i];
		if (!words || (i == 1 && words == choices[0]))
			continue;
		buffer_printf(&out, "%s`%s%llu%s` %s", out.len > 0 ? ", and " : "Write ",
			      memory ? words->memory_before : words->cpus_before, amount,
			      memory ? words->memory_after : words->cpus_after, words->where);
	}
	if (out.len == 0)
		buffer_printf(&out, memory ? "Ask for %llu MB of memory" : "Ask for %llu CPUs",
			      amount);
	buffer_append_char(&out, '.');
	return buffer_take(&out);
}

char *memory_advice(const char *engine, const char *requested_by, uint64_t megabytes)
{
	return write_advice(engine, requested_by, megabytes, true);
}

char *cpus_advice(const char *engine, const char *requested_by, unsigned cpus)
{
	return write_advice(engine, requested_by, cpus, false);
}
