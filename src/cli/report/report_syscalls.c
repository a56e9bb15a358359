/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report_syscalls.h"

#include <string.h>

#include "base/cleanup.h"
#include "cli/lake/client.h"
#include "cli/lake/group.h"
#include "cli/lake/row.h"
#include "cli/terminal/print.h"

#define ERRORS_SHOWN 8

static const char *const sums[] = { "time_ns", "calls", "failed", NULL };

static const struct column columns[] = {
	{ "name", "SYSTEM CALLS", FORMAT_TEXT, 36 },
	{ "calls", "CALLS", FORMAT_COUNT, 0 },
	{ "failed", "FAILED", FORMAT_COUNT, 0 },
	{ "time_ns", "TIME IN THEM", FORMAT_NS, 0 },
};

static void name_class(struct buffer *out, const json_t *row)
{
	static const struct {
		const char *class, *words;
	} classes[] = {
		{ "open", "open, close" },    { "metadata", "files' metadata" },
		{ "lock", "locks (futex)" },  { "socket", "sockets" },
		{ "time", "sleep, clocks" },  { "async", "io_uring, aio" },
		{ "signal", "signals" },      { "process", "processes" },
		{ "compat", "32-bit calls" },
	};
	const char *class = row_text(row, "class");

	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++)
		if (strcmp(class, classes[i].class) == 0) {
			buffer_append_text(out, classes[i].words);
			return;
		}
	print_safe(out, class);
}

static void name_error(struct buffer *out, const json_t *row)
{
	const char *error = row_text(row, "error");

	print_safe(out, strcmp(error, "other") == 0 ? "of other kinds" : error);
}

static void print_errors(FILE *out, const json_t *syscalls)
{
	static const char *const failed[] = { "failed", NULL };
	const struct grouping grouping = { name_error, failed, 1 };
	json_t *groups CLEANUP(json_decrefp) = group_rows(syscalls, &grouping);
	const char *before = "Failed system calls:";
	json_int_t rest = 0;
	const json_t *group;
	size_t i, shown = 0;

	json_array_foreach(groups, i, group)
	{
		json_int_t count = json_integer_value(json_object_get(group, "failed"));

		if (count <= 0)
			continue;
		if (shown++ >= ERRORS_SHOWN) {
			rest += count;
			continue;
		}
		fprintf(out, "%s %lld %s", before, (long long)count, row_text(group, "name"));
		before = ",";
	}
	if (rest > 0)
		fprintf(out, ", and %lld more (--json has them)", (long long)rest);
	if (shown > 0)
		fprintf(out, ".\n");
}

void report_syscalls(FILE *out, json_t *syscalls)
{
	const struct grouping grouping = { name_class, sums, 1 };
	json_t *groups CLEANUP(json_decrefp) = NULL, *row;
	size_t i;

	json_array_foreach(syscalls, i, row)
	{
		json_int_t calls = json_integer_value(json_object_get(row, "calls"));

		json_object_set_new(row, "failed",
				    json_integer(*row_text(row, "error") ? calls : 0));
	}
	groups = group_rows(syscalls, &grouping);
	if (json_array_size(groups) == 0)
		return;
	fputc('\n', out);
	print_table(out, groups, columns, sizeof(columns) / sizeof(*columns));
	print_errors(out, syscalls);
	if (json_array_size(syscalls) >= CLIENT_PAGE)
		fprintf(out, "(of the %d kinds that took longest)\n", CLIENT_PAGE);
}
