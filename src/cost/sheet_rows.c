/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/sheet_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/map.h"
#include "cost/sheet_choice.h"
#include "cost/sheet_private.h"

#define ROWS_MAX (1 << 24)

#define FEW_TOOLS 8   /* without memory of their own: most tasks have one or two */
#define NAMED     256 /* a power of two */

/* What the rows are made of. */
struct making {
	const struct sheet *sheet;
	const struct sheet_choice *choice;
	struct sheet_chosen chosen;
	struct sheet_rows *rows;
	size_t *counted; /* by task: the row that it was counted in last + 1 */
	size_t *known;   /* by run, host or task: its row + 1, where it has only one */
	bool *tools;     /* whether it was counted */
	bool *sampled;   /* by run: whether it has tasks of samples */
	/* The row of the name of a tool, which is one text of the sheet, that was last asked for.
	 */
	struct {
		const char *name;
		size_t row;
	} named[NAMED];
};

static size_t find(const struct map *map, const char *text, size_t len)
{
	struct map_text_key key = map_text_key(text, len);

	return (size_t)(uintptr_t)map_get(map, &key);
}

/* Counts the task, once. Those of a tool are counted with the tool. */
static int count_task(struct making *making, size_t at, size_t index)
{
	struct sheet_rows *rows = making->rows;
	const struct sheet_task *task = &making->sheet->tasks[index];
	struct sheet_row *row = &rows->items[at];
	size_t runs;
	int rc, first = 1;

	if (making->counted[index] == at + 1)
		return 0;
	making->counted[index] = at + 1;
	/* What is in no task may wait, which is counted before its other times. */
	if (task->shared || (making->chosen.key->level == SHEET_OF_TIME && !*task->id))
		first = sheet_row_count_task(rows, at, task->first);
	if (first <= 0)
		return first;
	runs = row->runs;
	rc = sheet_row_count_run(rows, at, task->run);
	row->sampled_runs += row->runs > runs && making->sampled[task->run];
	if (rc == 0 && *task->sample)
		rc = sheet_row_count_sample(rows, at, task->sample);
	row->tasks += *task->id != '\0';
	if (task->input_bytes >= 0)
		row->input_bytes =
			(int64_t)sheet_sum(row->input_bytes < 0 ? 0 : (uint64_t)row->input_bytes,
					   (uint64_t)task->input_bytes);
	return rc;
}

static int add_point(struct sheet_rows *rows, size_t row, int64_t at, const struct cost_part *part)
{
	size_t place[2] = { row, (size_t)at };
	size_t known = find(rows->point_index, (const char *)place, sizeof(place));
	struct map_text_key key = map_text_key((const char *)place, sizeof(place));

	if (!known) {
		if (!SHEET_GROW(rows->points, rows->point_count))
			return -ENOMEM;
		rows->points[rows->point_count++] = (struct sheet_point){ .row = row, .at = at };
		known = rows->point_count;
		if (map_put(rows->point_index, &key, (void *)(uintptr_t)known))
			return -ENOMEM;
	}
	cost_part_add(&rows->points[known - 1].part, part);
	return 0;
}

static int add_amounts(struct making *making, size_t at, const struct sheet_entry *entry,
		       const struct cost_part *part)
{
	struct sheet_rows *rows = making->rows;
	struct sheet_row *row = &rows->items[at];

	cost_part_add(&row->part, part);
	cost_part_add(&rows->part, part);
	row->priced &= entry->priced;
	if (making->chosen.key->level != SHEET_OF_TOOL)
		row->cpu_ns = sheet_sum(row->cpu_ns, entry->cpu_ns);
	return making->choice->points ? add_point(rows, at, entry->since_at, part) : 0;
}

static int add_part(struct making *making, size_t row, const struct sheet_entry *entry)
{
	int rc = row == SIZE_MAX ? -ENOMEM : add_amounts(making, row, entry, &entry->part);

	return rc ? rc : count_task(making, row, entry->task);
}

static void day_name(int64_t at, char ret[256])
{
	time_t seconds = at / NS_PER_S;
	struct tm day;

	gmtime_r(&seconds, &day);
	strftime(ret, 256, "%Y-%m-%d", &day);
}

static size_t host_row(struct making *making, size_t index)
{
	const struct sheet_host *host = &making->sheet->hosts[index];
	const struct sheet_key *key = making->chosen.key;
	size_t row = sheet_row_find(making->rows, key->of_host(host),
				    strcmp(key->name, "host") == 0 ? host->id : "");

	if (row != SIZE_MAX)
		making->rows->items[row].host = index;
	return row;
}

static size_t run_row(struct making *making, size_t index)
{
	return sheet_row_find(
		making->rows, making->chosen.keys[index],
		strcmp(making->chosen.key->name, "run") == 0 ? making->sheet->runs[index].id : "");
}

static size_t task_row(struct making *making, size_t index)
{
	const struct sheet_task *task = &making->sheet->tasks[index];
	const struct sheet_run *run = &making->sheet->runs[task->run];
	const struct sheet_key *key = making->chosen.key;
	char text[256];

	if (key->of_task)
		return sheet_row_find(making->rows, key->of_task(task), "");
	if (strcmp(key->name, "step") == 0 && *task->id)
		return sheet_row_find(making->rows, task->step, "");
	if (*task->id)
		return sheet_row_add(making->rows, *task->name ? task->name : task->step, task->id);
	sheet_engine_name(run, text);
	return sheet_row_find(making->rows, text, strcmp(key->name, "step") == 0 ? "" : run->id);
}

/* The row of what is no tool. */
static size_t row_of(struct making *making, const struct sheet_entry *entry)
{
	static size_t (*const rows_of[])(struct making *, size_t) = {
		[SHEET_OF_RUN] = run_row, [SHEET_OF_TASK] = task_row, [SHEET_OF_HOST] = host_row
	};
	const struct sheet_task *task = &making->sheet->tasks[entry->task];
	enum sheet_level level = making->chosen.key->level;
	size_t thing = level == SHEET_OF_RUN    ? task->run
		       : level == SHEET_OF_HOST ? task->host
						: task->first;
	char day[256];
	size_t row;

	if (level == SHEET_OF_TIME) {
		day_name(entry->since_at, day);
		return sheet_row_find(making->rows, day, "");
	}
	if (making->known[thing])
		return making->known[thing] - 1;
	row = rows_of[level](making, thing);
	if (row != SIZE_MAX)
		making->known[thing] = row + 1;
	return row;
}

static size_t tool_row(struct making *making, const char *name)
{
	size_t place = ((uintptr_t)name >> 4) & (NAMED - 1);

	if (making->named[place].name != name) {
		making->named[place].row = sheet_row_find(making->rows, name, "");
		making->named[place].name = name;
	}
	return making->named[place].row;
}

static int add_tool(struct making *making, const struct sheet_entry *entry,
		    const struct sheet_tool_part *part)
{
	struct sheet_rows *rows = making->rows;
	size_t tool = (size_t)(part->tool - making->sheet->tools);
	size_t row = tool_row(making, part->tool->name);
	int rc = row == SIZE_MAX ? -ENOMEM : add_amounts(making, row, entry, &part->part);

	if (rc || making->tools[tool])
		return rc;
	making->tools[tool] = true;
	rows->items[row].cpu_ns = sheet_sum(rows->items[row].cpu_ns, part->tool->cpu_ns);
	return count_task(making, row, entry->task);
}

static int add_tools(struct making *making, const struct sheet_entry *entry)
{
	const struct sheet *sheet = making->sheet;
	size_t count = sheet->tasks[entry->task].tool_count;
	struct sheet_tool_part few[FEW_TOOLS];
	CLEANUP(freep)
	struct sheet_tool_part *many = count > FEW_TOOLS ? calloc(count, sizeof(*many)) : NULL;
	struct sheet_tool_part *parts = count > FEW_TOOLS ? many : few;
	int rc;

	if (!count)
		return add_part(making, sheet_row_find(making->rows, "?", ""), entry);
	rc = parts ? sheet_share_out(sheet, entry, parts) : -ENOMEM;
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = add_tool(making, entry, &parts[i]);
	return rc;
}

static int add_entries(struct making *making)
{
	const struct sheet *sheet = making->sheet;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sheet->entry_count; i++) {
		const struct sheet_entry *entry = &sheet->entries[i];
		const struct sheet_task *task = &sheet->tasks[entry->task];

		if (!making->chosen.runs[task->run] || !sheet_chooses(sheet, making->choice, task))
			continue;
		rc = making->chosen.key->level == SHEET_OF_TOOL
			     ? add_tools(making, entry)
			     : add_part(making, row_of(making, entry), entry);
	}
	return rc;
}

/* What hosts cost as a whole; rows that are hosts or days have what no run held, too. */
static int add_up(struct making *making, const struct sheet_up *up)
{
	const struct cost_part unallocated = { .idle_nusd = up->unallocated_nusd };
	const struct sheet_key *key = making->chosen.key;
	struct sheet_rows *rows = making->rows;
	char day[256];
	size_t row;

	rows->whole_nusd += up->whole_nusd;
	rows->unallocated_nusd += up->unallocated_nusd;
	if (making->choice->points && add_point(rows, SIZE_MAX, up->since_at, &unallocated))
		return -ENOMEM;
	if (key->level != SHEET_OF_HOST && key->level != SHEET_OF_TIME)
		return 0;
	day_name(up->since_at, day);
	row = key->level == SHEET_OF_TIME ? sheet_row_find(rows, day, "")
					  : host_row(making, up->host);
	if (row == SIZE_MAX)
		return -ENOMEM;
	rows->items[row].unallocated_nusd += up->unallocated_nusd;
	rows->items[row].unallocated_known |= up->priced;
	if (key->level == SHEET_OF_HOST)
		rows->items[row].priced &= up->priced;
	return 0;
}

static int add_hosts(struct making *making)
{
	const struct sheet *sheet = making->sheet;
	const char *only = making->choice->host;
	int rc = 0;

	for (size_t i = 0; i < sheet->host_count; i++) {
		const struct sheet_host *host = &sheet->hosts[i];

		if (!host->up || (only && strcmp(host->id, only) != 0))
			continue;
		making->rows->hosts++;
		making->rows->unpriced_hosts += !host->priced;
		making->rows->billed |= host->billed;
	}
	if (sheet_is_partial(making->choice))
		return 0;
	for (size_t i = 0; rc == 0 && i < sheet->up_count; i++)
		if (!only || strcmp(sheet->hosts[sheet->ups[i].host].id, only) == 0)
			rc = add_up(making, &sheet->ups[i]);
	return rc;
}

static bool *sampled_runs(const struct sheet *sheet)
{
	bool *sampled = calloc(sheet->run_count + 1, sizeof(*sampled));

	for (size_t i = 0; sampled && i < sheet->task_count; i++)
		sampled[sheet->tasks[i].run] |= *sheet->tasks[i].sample != '\0';
	return sampled;
}

int sheet_rows_make(const struct sheet *sheet, const struct sheet_choice *choice,
		    struct sheet_rows *ret)
{
	struct making making = { .sheet = sheet, .choice = choice, .rows = ret };
	size_t things = sheet->task_count;
	int rc;

	*ret = (struct sheet_rows){ .index = map_new_of_texts(ROWS_MAX),
				    .seen = map_new_of_texts(ROWS_MAX),
				    .point_index = map_new_of_texts(ROWS_MAX) };
	things = things > sheet->run_count ? things : sheet->run_count;
	things = things > sheet->host_count ? things : sheet->host_count;
	making.counted = calloc(sheet->task_count + 1, sizeof(*making.counted));
	making.known = calloc(things + 1, sizeof(*making.known));
	making.tools = calloc(sheet->tool_count + 1, sizeof(*making.tools));
	making.sampled = sampled_runs(sheet);
	rc = ret->index && ret->seen && ret->point_index && making.counted && making.known &&
			     making.tools && making.sampled
		     ? sheet_choose(sheet, choice, &making.chosen)
		     : -ENOMEM;
	if (rc == 0)
		rc = add_entries(&making);
	if (rc == 0)
		rc = add_hosts(&making);
	sheet_chosen_clear(&making.chosen);
	free(making.counted);
	free(making.known);
	free(making.tools);
	free(making.sampled);
	return rc;
}

void sheet_rows_clear(struct sheet_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		free(rows->items[i].key);
		free(rows->items[i].id);
	}
	free(rows->items);
	free(rows->points);
	map_free(rows->index);
	map_free(rows->seen);
	map_free(rows->point_index);
}
