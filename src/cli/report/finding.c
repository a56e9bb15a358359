/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/finding.h"

#include <string.h>

#include "base/cleanup.h"
#include "cli/lake/row.h"
#include "cli/terminal/print.h"

static void append_savings(struct buffer *out, const json_t *finding)
{
	static const struct column usd = { "saves_usd", "", FORMAT_USD, 0 },
				   seconds = { "saves_s", "", FORMAT_SECONDS, 0 };
	const char *before = "saves ";

	if (json_number_value(json_object_get(finding, "saves_s")) >= 1) {
		buffer_append_text(out, before);
		print_value(out, finding, &seconds);
		before = ", ";
	}
	if (json_number_value(json_object_get(finding, "saves_usd")) >= 0.0000005) {
		buffer_append_text(out, before);
		print_value(out, finding, &usd);
	}
}

const char *finding_doubt(const json_t *finding)
{
	const char *confidence = row_text(finding, "confidence");

	if (strcmp(confidence, "medium") == 0)
		return " (probably)";
	return strcmp(confidence, "low") == 0 ? " (perhaps)" : "";
}

/* What is written before a finding, by its severity. */
static const char *mark_of(const json_t *finding, bool colourful)
{
	static const struct {
		const char *severity, *mark, *coloured;
	} marks[] = { { "critical", "  ! ", "  \033[31m!\033[0m " },
		      { "info", "  - ", "  - " },
		      { "", "  ! ", "  \033[33m!\033[0m " } };
	size_t i = 0;

	while (*marks[i].severity && strcmp(marks[i].severity, row_text(finding, "severity")) != 0)
		i++;
	return colourful ? marks[i].coloured : marks[i].mark;
}

static void add_summary(struct lines *lines, const json_t *finding, size_t width, bool colourful)
{
	struct buffer text CLEANUP(buffer_clear) = { 0 };

	buffer_init(&text, 0);
	buffer_append_text(&text, row_text(finding, "subject"));
	buffer_append_text(&text, ": ");
	buffer_append_text(&text, row_text(finding, "summary"));
	buffer_append_text(&text, finding_doubt(finding));
	if (!text.failed)
		lines_wrap(lines, mark_of(finding, colourful), "    ", text.data, width);
}

static void add_advice(struct lines *lines, const json_t *finding, size_t width)
{
	struct buffer savings CLEANUP(buffer_clear) = { 0 }, text CLEANUP(buffer_clear) = { 0 };
	const char *advice = row_text(finding, "advice");

	buffer_init(&savings, 0);
	buffer_init(&text, 0);
	append_savings(&savings, finding);
	if (*advice) {
		buffer_append_text(&text, advice);
		if (savings.len > 0)
			buffer_printf(&text, " (%s)", savings.data);
		if (!text.failed)
			lines_wrap(lines, "    → ", "      ", text.data, width);
	} else if (savings.len > 0) {
		lines_wrap(lines, "    ", "    ", savings.data, width);
	}
}

void finding_lines(struct lines *lines, const json_t *finding, size_t width, bool colourful)
{
	add_summary(lines, finding, width, colourful);
	add_advice(lines, finding, width);
}

const char *finding_none(bool asked)
{
	return asked ? "Findings: none"
		     : "Findings: none (no task requests CPUs or memory to compare its use with)";
}

void finding_print(FILE *out, const json_t *findings, bool asked)
{
	struct lines lines CLEANUP(lines_clear) = { 0 };
	const json_t *finding;
	size_t i;

	lines_add(&lines, json_array_size(findings) > 0 ? "Findings" : finding_none(asked));
	json_array_foreach(findings, i, finding)
		finding_lines(&lines, finding, print_width(out), print_colourful(out));
	lines_print(out, &lines);
}
