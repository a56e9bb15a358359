/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/finding.h"

#include <string.h>

#include "base/cleanup.h"
#include "cli/lake/row.h"
#include "cli/terminal/print.h"

static void print_between(FILE *out, const char *before, const char *text, const char *after)
{
	fputs(before, out);
	print_text(out, text);
	fputs(after, out);
}

static void print_savings(FILE *out, const json_t *finding)
{
	struct buffer text CLEANUP(buffer_clear) = { 0 };
	static const struct column usd = { "saves_usd", "", FORMAT_USD, 0 },
				   seconds = { "saves_s", "", FORMAT_SECONDS, 0 };

	buffer_init(&text, 0);
	if (json_number_value(json_object_get(finding, "saves_usd")) >= 0.0000005) {
		buffer_append_text(&text, "saves ");
		print_value(&text, finding, &usd);
	}
	if (json_number_value(json_object_get(finding, "saves_s")) >= 1) {
		buffer_append_text(&text, text.len > 0 ? ", " : "saves ");
		print_value(&text, finding, &seconds);
	}
	if (text.len > 0)
		fprintf(out, "    %s\n", text.data);
}

void finding_print(FILE *out, const json_t *findings, bool asked)
{
	const json_t *finding;
	size_t i;

	if (json_array_size(findings) == 0) {
		fprintf(out,
			asked ? "Findings: none\n"
			      : "Findings: nothing to compare use with: no task requests CPUs or "
				"memory\n");
		return;
	}
	fprintf(out, "Findings\n");
	json_array_foreach(findings, i, finding)
	{
		print_between(out,
			      strcmp(row_text(finding, "severity"), "info") == 0 ? "  - " : "  ! ",
			      row_text(finding, "subject"), ": ");
		print_between(out, "", row_text(finding, "summary"), "\n");
		if (row_text(finding, "advice")[0])
			print_between(out, "    → ", row_text(finding, "advice"), "\n");
		print_savings(out, finding);
	}
}

bool finding_asked(const json_t *tasks)
{
	const json_t *task;
	size_t i;

	json_array_foreach(tasks, i, task)
	{
		if (json_number_value(json_object_get(task, "cpus_requested")) > 0 ||
		    json_number_value(json_object_get(task, "memory_requested_bytes")) > 0)
			return true;
	}
	return false;
}
