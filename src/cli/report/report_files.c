/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report_files.h"

#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/lake/client.h"
#include "cli/lake/group.h"
#include "cli/lake/row.h"
#include "cli/terminal/print.h"

#define SHOWN      12
#define PATH_WIDTH 64
#define PATH_LEAST 20
#define REST_WIDTH 42   /* what the other columns take */
#define ERRNO_MAX  4095 /* of the kernel */

static const char *const sums[] = { "moved_bytes", "opens",  "failures", "reads",
				    "writes",      "mapped", NULL };

static const struct column columns[] = {
	{ "shown", "FILE", FORMAT_TEXT, 0 },
	{ "how", "HOW", FORMAT_TEXT, 0 },
	{ "moved_bytes", "READ OR WRITTEN", FORMAT_BYTES, 0 },
	{ "opens", "OPENED", FORMAT_COUNT, 0 },
};

static void name_path(struct buffer *out, const json_t *row)
{
	const char *path = row_text(row, "path");

	buffer_append_text(out, *path ? path : "(path unknown)");
}

static void set_how(json_t *group)
{
	static const struct {
		const char *key, *word;
	} ways[] = { { "reads", "read" }, { "writes", "written" }, { "mapped", "mapped" } };
	struct buffer how CLEANUP(buffer_clear) = { 0 };

	buffer_init(&how, 0);
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		if (json_integer_value(json_object_get(group, ways[i].key)) == 0)
			continue;
		buffer_append_text(&how, how.len > 0 ? ", " : "");
		buffer_append_text(&how, ways[i].word);
	}
	if (how.len > 0 && !how.failed)
		json_object_set_new(group, "how", json_string(how.data));
}

static bool continues(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* The width of paths with which the table fits the terminal. */
static size_t path_width(FILE *out)
{
	size_t width = print_width(out);

	if (width == 0)
		return SIZE_MAX; /* no terminal */
	if (width > PATH_WIDTH + REST_WIDTH)
		return PATH_WIDTH;
	return width < PATH_LEAST + REST_WIDTH ? PATH_LEAST : width - REST_WIDTH;
}

/* Shows the end of a long path, which has the name of the file. */
static void set_shown(json_t *group, size_t most)
{
	const char *path = row_text(group, "name"), *end = path + strlen(path);
	struct buffer shown CLEANUP(buffer_clear) = { 0 };
	size_t width = 0;

	while (end > path && width < most)
		width += !continues(*--end);
	buffer_init(&shown, 0);
	buffer_append_text(&shown, end > path ? "…" : "");
	buffer_append_text(&shown, end);
	if (!shown.failed)
		json_object_set_new(group, "shown", json_string(shown.data));
}

/* The rows of regular files. */
static json_t *regular(const json_t *files)
{
	json_t *some = json_array();
	const json_t *row;
	size_t i;

	json_array_foreach(files, i, row) if (strcmp(row_text(row, "kind"), "file") == 0)
		json_array_append(some, (json_t *)row);
	return some;
}

/* Prints the first SHOWN groups and the sum of the others. */
static void print_rest(FILE *out, json_t *groups)
{
	uint64_t bytes = 0;
	size_t rest = 0;
	char text[48];

	for (; json_array_size(groups) > SHOWN; rest++) {
		const json_t *last = json_array_get(groups, json_array_size(groups) - 1);

		bytes += (uint64_t)json_integer_value(json_object_get(last, "moved_bytes"));
		json_array_remove(groups, json_array_size(groups) - 1);
	}
	print_table(out, groups, columns, sizeof(columns) / sizeof(*columns));
	if (rest > 0)
		fprintf(out, "and %zu more, of which %s were read or written (--json has them)\n",
			rest, text_bytes(bytes, text, sizeof(text)));
}

static void name_error(struct buffer *out, const json_t *row)
{
	json_int_t number = json_integer_value(json_object_get(row, "error"));
	const char *name = number > 0 && number <= ERRNO_MAX ? strerrorname_np((int)number) : NULL;

	buffer_append_text(out, name ? name : "for an unknown reason");
}

/* One line by error: programs search for files in many places, so that most failures are normal. */
static void print_failures(FILE *out, const json_t *files)
{
	static const char *const failures[] = { "failures", NULL };
	const struct grouping grouping = { name_error, failures, 1 };
	json_t *groups CLEANUP(json_decrefp) = group_rows(files, &grouping);
	const char *before = "Failed opens:";
	const json_t *group;
	size_t i;

	json_array_foreach(groups, i, group)
	{
		json_int_t count = json_integer_value(json_object_get(group, "failures"));

		if (count <= 0)
			continue;
		fprintf(out, "%s %lld %s", before, (long long)count, row_text(group, "name"));
		before = ",";
	}
	if (*before == ',')
		fprintf(out, ".\n");
}

void report_files(FILE *out, const json_t *files, bool complete)
{
	const struct grouping grouping = { name_path, sums, 1 };
	json_t *some CLEANUP(json_decrefp) = regular(files);
	json_t *groups CLEANUP(json_decrefp) = group_rows(some, &grouping);
	json_t *group;
	size_t i;

	if (json_array_size(groups) > 0) {
		json_array_foreach(groups, i, group)
		{
			set_how(group);
			set_shown(group, path_width(out));
		}
		fputc('\n', out);
		print_rest(out, groups);
		if (!complete)
			fprintf(out, "(of the first %zu uses)\n", json_array_size(files));
	}
	print_failures(out, files);
}
