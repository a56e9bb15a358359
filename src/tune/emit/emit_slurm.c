/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/emit/emit_amounts.h"

/* Lines for the scripts that sbatch is given, a block a step. */

static void write_step(struct buffer *out, const struct step_size *size)
{
	struct emit_amounts amounts = emit_amounts_of(size);

	if (!emit_amounts_any(&amounts))
		return;
	buffer_append_char(out, '\n');
	emit_comment(out, "#", size->step);
	emit_notes(out, "#", size);
	if (amounts.cpus)
		buffer_printf(out, "#SBATCH --cpus-per-task=%u\n", amounts.cpus);
	if (amounts.memory_mb[0])
		buffer_printf(out, "#SBATCH --mem=%lluM\n", amounts.memory_mb[0]);
	if (amounts.minutes[0])
		buffer_printf(out, "#SBATCH --time=%llu\n", amounts.minutes[0]);
	if (amounts.memory_mb[0])
		buffer_printf(
			out,
			"# If it ends with OUT_OF_MEMORY: sbatch --mem=%lluM, then --mem=%lluM\n",
			amounts.memory_mb[1], amounts.memory_mb[2]);
}

static void write(const struct emit_run *run, struct buffer *out)
{
	emit_head(out, "#", run, NULL);
	for (size_t i = 0; i < run->count; i++)
		write_step(out, run->steps[i]);
}

extern const struct emit_engine emit_slurm;
const struct emit_engine emit_slurm = { "slurm", write };
