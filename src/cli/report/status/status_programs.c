/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/status/status_programs.h"

#include "base/cleanup.h"
#include "cli/lake/group.h"
#include "cli/terminal/print.h"

static const struct column columns[] = {
	{ "name", "KERNEL PROGRAM", FORMAT_TEXT, 0 },
	{ "calls", "CALLS", FORMAT_COUNT, 0 },
	{ "run_ns", "RUN TIME", FORMAT_NS, 0 },
	{ "mean_ns", "A CALL", FORMAT_NS, 0 },
};

static void name_program(struct buffer *out, const json_t *program)
{
	const char *name = json_string_value(json_object_get(program, "name"));

	print_safe(out, name ? name : "?");
}

/* A row for each program that was called, with its mean, and a last row for all of them. */
static json_t *rows_of(const json_t *ranked)
{
	json_t *rows = json_array(), *program;
	json_int_t all_calls = 0, all_ns = 0;
	size_t i;

	json_array_foreach(ranked, i, program)
	{
		json_int_t calls = json_integer_value(json_object_get(program, "calls"));
		json_int_t run_ns = json_integer_value(json_object_get(program, "run_ns"));

		if (calls <= 0)
			continue;
		json_object_set_new(program, "mean_ns", json_integer(run_ns / calls));
		json_array_append(rows, program);
		all_calls += calls;
		all_ns += run_ns;
	}
	json_array_append_new(rows, json_pack("{s:s, s:I, s:I, s:I}", "name", "all", "calls",
					      all_calls, "run_ns", all_ns, "mean_ns",
					      all_calls > 0 ? all_ns / all_calls : 0));
	return rows;
}

void status_programs(FILE *out, const json_t *programs)
{
	static const char *const sums[] = { "run_ns", "calls", NULL };
	const struct grouping grouping = { name_program, sums, 1 };
	json_t *ranked CLEANUP(json_decrefp) = NULL, *rows CLEANUP(json_decrefp) = NULL;

	if (!json_is_array(programs)) {
		fprintf(out, "       run time of its kernel programs: not counted "
			     "(enable it: sysctl kernel.bpf_stats_enabled=1)\n");
		return;
	}
	ranked = group_rows(programs, &grouping);
	rows = rows_of(ranked);
	fprintf(out, "\nSince the agent started, as far as the kernel counted:\n");
	print_table(out, rows, columns, sizeof(columns) / sizeof(*columns));
}
