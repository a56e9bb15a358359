/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/emit/emit_amounts.h"

/* A configuration file of Nextflow (-c FILE): directives of each process, which are closures of the
 * attempt. Exit codes 137, 140 and 143 are those of tasks that a limit ended. */

static bool is_process(const char *name)
{
	return emit_is_plain(name, ':'); /* "WORKFLOW:PROCESS" */
}

static void write_tries(struct buffer *out, const char *directive,
			const unsigned long long tries[SIZE_ATTEMPTS], const char *unit)
{
	if (!tries[0])
		return;
	buffer_printf(
		out,
		"        %s = { [%llu.%s, %llu.%s, %llu.%s][Math.min(task.attempt, 3) - 1] }\n",
		directive, tries[0], unit, tries[1], unit, tries[2], unit);
}

static void write_step(struct buffer *out, const struct step_size *size)
{
	struct emit_amounts amounts = emit_amounts_of(size);

	if (!emit_amounts_any(&amounts) || !is_process(size->step))
		return;
	emit_notes(out, "    //", size);
	buffer_printf(out, "    withName: '%s' {\n", size->step);
	if (amounts.cpus)
		buffer_printf(out, "        cpus = %u\n", amounts.cpus);
	write_tries(out, "memory", amounts.memory_mb, "MB");
	write_tries(out, "time", amounts.minutes, "min");
	buffer_append_text(
		out, "        errorStrategy = { task.exitStatus in [137, 140, 143] ? 'retry' : "
		     "'finish' }\n        maxRetries = 2\n    }\n");
}

static void write(const struct emit_run *run, struct buffer *out)
{
	emit_head(out, "//", run, is_process);
	buffer_append_text(out, "process {\n");
	for (size_t i = 0; i < run->count; i++)
		write_step(out, run->steps[i]);
	buffer_append_text(out, "}\n");
}

extern const struct emit_engine emit_nextflow;
const struct emit_engine emit_nextflow = { "nextflow", write };
