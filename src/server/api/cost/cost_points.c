/* SPDX-License-Identifier: Apache-2.0 */
#include "server/api/cost/cost_points.h"

#include "cost/price.h"
#include "cost/sheet_rows.h"
#include "server/rows/row_writer.h"

#define SERIES_MAX 12

static const struct row_column COLUMNS[] = {
	{ "at", STORE_TIME },         { "key", STORE_TEXT },          { "id", STORE_TEXT },
	{ "used_usd", STORE_DOUBLE }, { "unused_usd", STORE_DOUBLE }, { "idle_usd", STORE_DOUBLE },
	{ "cost_usd", STORE_DOUBLE },
};

static struct cell usd(int64_t nusd)
{
	return cell_double(cost_usd(nusd));
}

static void write_point(struct row_writer *writer, int64_t at, const char *key, const char *id,
			const struct cost_part *part)
{
	const struct cell cells[] = {
		cell_time(at),
		cell_text(key),
		cell_text(id && *id ? id : NULL),
		usd(part->used_nusd),
		usd(part->unused_nusd),
		usd(part->idle_nusd),
		usd(cost_part_sum(part)),
	};

	ROW_LIST_ADD(writer, cells);
}

/* The points of one time are sorted by row. Returns behind them. */
static size_t write_time(struct row_writer *writer, const struct sheet_rows *rows, size_t first)
{
	int64_t at = rows->points[first].at;
	struct cost_part others = { 0 };
	bool any = false;
	size_t i;

	for (i = first; i < rows->point_count && rows->points[i].at == at; i++) {
		const struct sheet_point *point = &rows->points[i];

		if (point->row == SIZE_MAX)
			write_point(writer, at, NULL, NULL, &point->part);
		else if (point->row < SERIES_MAX)
			write_point(writer, at, rows->items[point->row].key,
				    rows->items[point->row].id, &point->part);
		else {
			cost_part_add(&others, &point->part);
			any = true;
		}
	}
	if (any)
		write_point(writer, at, "(others)", NULL, &others);
	return i;
}

void cost_points_write(struct row_writer *writer, const struct sheet_rows *rows, bool given)
{
	ROW_LIST_BEGIN(writer, "series", COLUMNS);
	for (size_t i = 0; given && i < rows->point_count;)
		i = write_time(writer, rows, i);
	row_list_end(writer);
}
