/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/emit/emit_amounts.h"

/* The config.yaml of a profile of Snakemake (--profile FOLDER). From version 8 a resource may be an
 * expression of the attempt; version 7 takes such a text as it is. */

static bool is_rule(const char *name)
{
	return emit_is_plain(name, 0);
}

static bool is_written(const struct step_size *size, const struct emit_amounts *amounts)
{
	return emit_amounts_any(amounts) && is_rule(size->step);
}

static void write_threads(const struct emit_run *run, struct buffer *out)
{
	bool any = false;

	for (size_t i = 0; i < run->count; i++) {
		struct emit_amounts amounts = emit_amounts_of(run->steps[i]);

		if (!is_written(run->steps[i], &amounts) || !amounts.cpus)
			continue;
		if (!any)
			buffer_append_text(out, "set-threads:\n");
		any = true;
		buffer_printf(out, "  - %s=%u\n", run->steps[i]->step, amounts.cpus);
	}
}

static void write_resource(struct buffer *out, const char *rule, const char *resource,
			   const unsigned long long tries[SIZE_ATTEMPTS], bool by_attempt)
{
	if (!tries[0])
		return;
	buffer_printf(out, "  - %s:%s=", rule, resource);
	if (by_attempt)
		buffer_printf(out, "[%llu, %llu, %llu][min(attempt, 3) - 1]\n", tries[0], tries[1],
			      tries[2]);
	else
		buffer_printf(out, "%llu\n", tries[0]);
}

static void write_resources(const struct emit_run *run, struct buffer *out, bool by_attempt)
{
	bool any = false;

	for (size_t i = 0; i < run->count; i++) {
		const struct step_size *size = run->steps[i];
		struct emit_amounts amounts = emit_amounts_of(size);

		if (!is_written(size, &amounts) || (!amounts.memory_mb[0] && !amounts.minutes[0]))
			continue;
		if (!any)
			buffer_append_text(out, "set-resources:\n");
		any = true;
		emit_notes(out, "  #", size);
		write_resource(out, size->step, "mem_mb", amounts.memory_mb, by_attempt);
		write_resource(out, size->step, "runtime", amounts.minutes, by_attempt);
	}
}

static void write_8(const struct emit_run *run, struct buffer *out)
{
	emit_head(out, "#", run, is_rule);
	emit_comment(out, "#", "For Snakemake 8 and later; for version 7: --emit snakemake7");
	buffer_append_text(out, "retries: 2\n");
	write_threads(run, out);
	write_resources(run, out, true);
}

static void write_7(const struct emit_run *run, struct buffer *out)
{
	emit_head(out, "#", run, is_rule);
	emit_comment(out, "#",
		     "For Snakemake 7, of which a retry cannot ask for more than the first try");
	write_threads(run, out);
	write_resources(run, out, false);
}

extern const struct emit_engine emit_snakemake, emit_snakemake7;
const struct emit_engine emit_snakemake = { "snakemake", write_8 };
const struct emit_engine emit_snakemake7 = { "snakemake7", write_7 };
