/* SPDX-License-Identifier: Apache-2.0 */
#include "server/api/cost/run_cost_write.h"

#include <string.h>

#include "cost/price.h"
#include "server/billing/kept_cost.h"
#include "server/rows/row_writer.h"

static struct cell usd_cell(int64_t nusd)
{
	return cell_double(cost_usd(nusd));
}

/* What the run cost on a host; *ret_any: it was there. */
static struct cost_part part_on(const struct sheet *sheet, size_t run, size_t host, bool *ret_any)
{
	struct cost_part part = { 0 };

	*ret_any = false;
	for (size_t i = 0; i < sheet->task_count; i++) {
		if (sheet->tasks[i].run != run || sheet->tasks[i].host != host)
			continue;
		cost_part_add(&part, &sheet->tasks[i].part);
		*ret_any = true;
	}
	return part;
}

static void write_hosts(struct row_writer *writer, const struct sheet *sheet, size_t run)
{
	static const struct row_column COLUMNS[] = {
		{ "id", STORE_TEXT },           { "hostname", STORE_TEXT },
		{ "instance_id", STORE_TEXT },  { "price_usd_hour", STORE_DOUBLE },
		{ "price_source", STORE_TEXT }, { "whole_usd", STORE_DOUBLE },
	};

	ROW_LIST_BEGIN(writer, "hosts", COLUMNS);
	for (size_t i = 0; i < sheet->host_count; i++) {
		const struct sheet_host *host = &sheet->hosts[i];
		const struct sheet_price *price = sheet_last_price(host);
		bool any, known = price && price->known;
		struct cost_part part = part_on(sheet, run, i, &any);
		const struct cell cells[] = {
			cell_text(host->id),
			cell_text(host->hostname),
			cell_text(*host->instance_id ? host->instance_id : NULL),
			known ? usd_cell(price->nusd_hour) : CELL_NONE,
			cell_text(known ? price->source : NULL),
			usd_cell(cost_part_sum(&part)),
		};

		if (any)
			ROW_LIST_ADD(writer, cells);
	}
	row_list_end(writer);
}

/* The price of all hosts of the run together; its source where they have the same one. */
static void write_price(struct row_writer *writer, const struct sheet *sheet, size_t run)
{
	const char *source = NULL;
	int64_t nusd_hour = 0;

	for (size_t i = 0; i < sheet->host_count; i++) {
		const struct sheet_price *price = sheet_last_price(&sheet->hosts[i]);
		bool any;

		part_on(sheet, run, i, &any);
		if (!any || !price)
			continue;
		nusd_hour += price->nusd_hour;
		source = !source || strcmp(source, price->source) == 0 ? price->source
								       : "several: see hosts";
	}
	row_field(writer, "price_usd_hour", usd_cell(nusd_hour));
	row_field(writer, "price_source", cell_text(source));
}

/* Of what is in tasks, or of what is in none. */
static int64_t sum_of(const struct sheet *sheet, size_t run, bool of_tasks)
{
	int64_t nusd = 0;

	for (size_t i = 0; i < sheet->task_count; i++)
		if (sheet->tasks[i].run == run && (*sheet->tasks[i].id != '\0') == of_tasks)
			nusd += cost_part_sum(&sheet->tasks[i].part);
	return nusd;
}

static struct cell cost_cell(const struct run_cost *cost)
{
	return cost->priced ? usd_cell(cost_part_sum(&cost->part)) : CELL_NONE;
}

static void write_changes(struct row_writer *writer, const struct cost_change *changes,
			  size_t count)
{
	static const struct row_column COLUMNS[] = {
		{ "at", STORE_TIME },
		{ "from_usd", STORE_DOUBLE },
		{ "to_usd", STORE_DOUBLE },
		{ "why", STORE_TEXT },
	};

	ROW_LIST_BEGIN(writer, "changes", COLUMNS);
	for (size_t i = 0; i < count; i++) {
		const struct cell cells[] = {
			cell_time(changes[i].at),
			cost_cell(&changes[i].from),
			cost_cell(&changes[i].to),
			cell_text(changes[i].why),
		};

		ROW_LIST_ADD(writer, cells);
	}
	row_list_end(writer);
}

void run_cost_write(struct row_writer *writer, const struct sheet *sheet, size_t run,
		    const struct cost_change *changes, size_t change_count)
{
	struct run_cost cost = run_cost_of(sheet, run);

	if (!cost.priced) {
		row_field(writer, "cost", CELL_NONE);
		return;
	}
	row_group_begin(writer, "cost");
	row_field(writer, "whole_usd", usd_cell(cost_part_sum(&cost.part)));
	row_field(writer, "used_usd", usd_cell(cost.part.used_nusd));
	row_field(writer, "unused_usd", usd_cell(cost.part.unused_nusd));
	row_field(writer, "idle_usd", usd_cell(cost.part.idle_nusd));
	row_field(writer, "tasks_usd", usd_cell(sum_of(sheet, run, true)));
	row_field(writer, "engine_usd", usd_cell(sum_of(sheet, run, false)));
	write_price(writer, sheet, run);
	write_hosts(writer, sheet, run);
	write_changes(writer, changes, change_count);
	row_group_end(writer);
}
