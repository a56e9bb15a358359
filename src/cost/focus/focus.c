/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/focus/focus.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cost/focus/focus_column.h"
#include "cost/focus/focus_price.h"

struct focus_writer {
	const struct sheet *sheet;
	const struct sheet_up **ups; /* by host and time */
	size_t entry, up;            /* the next of each */
	bool begun;
};

DEFINE_CLEANUP(struct focus_writer *, focus_writer_free)

void focus_writer_free(struct focus_writer *writer)
{
	if (writer)
		free(writer->ups);
	free(writer);
}

static int compare(size_t left_host, int64_t left_at, size_t right_host, int64_t right_at)
{
	if (left_host != right_host)
		return left_host < right_host ? -1 : 1;
	return left_at < right_at ? -1 : left_at > right_at;
}

static int compare_ups(const void *left_, const void *right_)
{
	const struct sheet_up *left = *(const struct sheet_up *const *)left_,
			      *right = *(const struct sheet_up *const *)right_;

	return compare(left->host, left->since_at, right->host, right->since_at);
}

/* NULL: the sheet has no such bucket. */
static const struct sheet_up *up_of(const struct focus_writer *writer,
				    const struct sheet_entry *entry)
{
	size_t low = 0, high = writer->sheet->up_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct sheet_up *up = writer->ups[middle];
		int order = compare(up->host, up->since_at, writer->sheet->tasks[entry->task].host,
				    entry->since_at);

		if (order == 0)
			return up;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static int check_entries(const struct focus_writer *writer)
{
	for (size_t i = 0; i < writer->sheet->entry_count; i++)
		if (cost_part_sum(&writer->sheet->entries[i].part) &&
		    !up_of(writer, &writer->sheet->entries[i]))
			return -EINVAL;
	return 0;
}

int focus_writer_new(const struct sheet *sheet, struct focus_writer **ret)
{
	CLEANUP(focus_writer_freep) struct focus_writer *writer = calloc(1, sizeof(*writer));
	int rc;

	if (sheet->bucket == SHEET_WINDOW)
		return -EINVAL;
	if (writer)
		writer->ups = calloc(sheet->up_count + 1, sizeof(struct sheet_up *));
	if (!writer || !writer->ups)
		return -ENOMEM;
	writer->sheet = sheet;
	for (size_t i = 0; i < sheet->up_count; i++)
		writer->ups[i] = &sheet->ups[i];
	qsort(writer->ups, sheet->up_count, sizeof(struct sheet_up *), compare_ups);
	rc = check_entries(writer);
	if (rc == 0)
		*ret = TAKE_PTR(writer);
	return rc;
}

/* A cell, in quotes where it needs them (RFC 4180). */
static void write_cell(struct buffer *out, const char *text)
{
	if (!strpbrk(text, "\",\r\n")) {
		buffer_append_text(out, text);
		return;
	}
	buffer_append_char(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			buffer_append_char(out, '"');
		buffer_append_char(out, *text);
	}
	buffer_append_char(out, '"');
}

static void write_header(struct buffer *out)
{
	for (size_t i = 0; i < FOCUS_COLUMNS_COUNT; i++) {
		buffer_append_text(out, i ? "," : "");
		buffer_append_text(out, FOCUS_COLUMNS[i].name);
	}
	buffer_append_char(out, '\n');
}

static void write_row(const struct focus_row *row, struct buffer *out)
{
	CLEANUP(buffer_clear) struct buffer cell = { 0 };

	buffer_init(&cell, 0);
	for (size_t i = 0; i < FOCUS_COLUMNS_COUNT; i++) {
		const struct focus_column *column = &FOCUS_COLUMNS[i];

		buffer_reset(&cell);
		if (column->fill)
			column->fill(row, &cell);
		else if (column->fixed)
			buffer_append_text(&cell, column->fixed);
		buffer_append_text(out, i ? "," : "");
		write_cell(out, cell.data);
		out->failed |= cell.failed;
	}
	buffer_append_char(out, '\n');
}

static const char *only_tool(const struct sheet *sheet, const struct sheet_task *task)
{
	const struct sheet_tool *tool =
		task->first_tool < sheet->tool_count ? &sheet->tools[task->first_tool] : NULL;

	return tool && tool->next >= sheet->tool_count ? tool->name : NULL;
}

static struct focus_row row_of(const struct sheet *sheet, const struct sheet_up *up)
{
	const struct sheet_host *host = &sheet->hosts[up->host];
	struct focus_row row = {
		.host = host,
		.provider = focus_provider(host->provider),
		.since_at = up->since_at,
		.until_at = up->until_at,
	};

	focus_price(host, up, &row);
	return row;
}

/* Where a part of the bucket has a price that is what is known, and the sheet counts it, too. */
static bool has_amount(const struct sheet_up *up)
{
	return up->priced || up->whole_nusd > 0;
}

static bool write_entry(const struct focus_writer *writer, const struct sheet_entry *entry,
			struct buffer *out)
{
	const struct sheet *sheet = writer->sheet;
	const struct sheet_up *up = up_of(writer, entry);
	struct focus_row row;

	if (!up || !has_amount(up)) /* what waited may have begun before the host was seen */
		return false;
	row = row_of(sheet, up);
	row.task = &sheet->tasks[entry->task];
	row.run = &sheet->runs[row.task->run];
	row.tool = only_tool(sheet, row.task);
	row.part = entry->part;
	row.nusd = cost_part_sum(&entry->part);
	write_row(&row, out);
	return true;
}

static bool write_idle(const struct focus_writer *writer, const struct sheet_up *up,
		       struct buffer *out)
{
	struct focus_row row = row_of(writer->sheet, up);

	if (up->unallocated_nusd == 0)
		return false;
	row.part.idle_nusd = row.nusd = up->unallocated_nusd;
	write_row(&row, out);
	return true;
}

bool focus_writer_next(struct focus_writer *writer, struct buffer *out)
{
	const struct sheet *sheet = writer->sheet;
	bool written = !writer->begun;

	if (written)
		write_header(out);
	writer->begun = true;
	while (!written && writer->entry < sheet->entry_count)
		written = write_entry(writer, &sheet->entries[writer->entry++], out);
	while (!written && writer->up < sheet->up_count)
		written = write_idle(writer, writer->ups[writer->up++], out);
	return written;
}
