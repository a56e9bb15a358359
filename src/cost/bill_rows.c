/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/bill_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/map.h"

#define ROWS_MAX (1 << 20)

int bill_rows_init(struct bill_rows *rows, const struct bill *bill)
{
	memset(rows, 0, sizeof(*rows));
	rows->index = map_new(sizeof(struct map_text_key), ROWS_MAX);
	rows->seen = map_new(2 * sizeof(size_t), ROWS_MAX);
	if (!rows->index || !rows->seen)
		return -ENOMEM;
	for (size_t i = 0; i < bill->split.host_count; i++) {
		size_t host = bill->intervals[i].host;
		bool first = i == 0 || bill->intervals[i - 1].host != host;

		rows->whole_nusd += bill->split.hosts[i].whole_nusd;
		rows->idle_nusd += bill->split.hosts[i].unused_nusd;
		if (first && !cost_is_known(bill->hosts[host].price.usd_hour))
			rows->unpriced_hosts++;
		else if (first)
			rows->priced_hosts++;
	}
	return 0;
}

void bill_rows_clear(struct bill_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		free(rows->items[i].key);
	free(rows->items);
	map_free(rows->index);
	map_free(rows->seen);
}

/* Room for one more: grows at each power of two. */
static int reserve(struct bill_rows *rows)
{
	struct bill_row *more;

	if (rows->count & (rows->count - 1))
		return 0;
	more = realloc(rows->items, (rows->count ? 2 * rows->count : 1) * sizeof(*rows->items));
	if (!more)
		return -ENOMEM;
	rows->items = more;
	return 0;
}

static struct bill_row *add_row(struct bill_rows *rows, const char *key,
				const struct map_text_key *text)
{
	struct bill_row *row;
	struct buffer copy;

	if (reserve(rows))
		return NULL;
	row = &rows->items[rows->count];
	memset(row, 0, sizeof(*row));
	row->priced = true;
	buffer_init(&copy, 0);
	buffer_append_text(&copy, key);
	row->key = buffer_take(&copy);
	if (!row->key)
		return NULL;
	rows->count++;
	return map_put(rows->index, text, (void *)(uintptr_t)rows->count) ? NULL : row;
}

static struct bill_row *row_of(struct bill_rows *rows, const char *key)
{
	struct map_text_key text = map_text_key(key, strlen(key));
	size_t at = (size_t)(uintptr_t)map_get(rows->index, &text);

	return at ? &rows->items[at - 1] : add_row(rows, key, &text);
}

int bill_rows_add(struct bill_rows *rows, const char *key, size_t run, int64_t nusd,
		  uint64_t cpu_ns, bool priced)
{
	struct bill_row *row;
	size_t pair[2];

	if (rows->shown && !rows->shown[run])
		return 0;
	row = row_of(rows, key);
	if (!row)
		return -ENOMEM;
	row->nusd += nusd;
	row->cpu_ns += cpu_ns;
	row->priced = row->priced && priced;
	pair[0] = (size_t)(row - rows->items);
	pair[1] = run;
	if (map_get(rows->seen, pair))
		return 0;
	row->runs++;
	return map_put(rows->seen, pair, rows);
}

static int by_run_text(struct bill_rows *rows, const struct bill *bill,
		       const char *(*key)(const struct bill_run *run))
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < bill->run_count; i++)
		rc = bill_rows_add(rows, key(&bill->runs[i]), i, bill->runs[i].whole_nusd,
				   bill->runs[i].cpu_ns, bill->runs[i].priced);
	return rc;
}

static const char *pipeline_of(const struct bill_run *run)
{
	return run->pipeline;
}

static const char *user_of(const struct bill_run *run)
{
	return run->user;
}

int bill_by_pipeline(struct bill_rows *rows, const struct bill *bill)
{
	return by_run_text(rows, bill, pipeline_of);
}

int bill_by_user(struct bill_rows *rows, const struct bill *bill)
{
	return by_run_text(rows, bill, user_of);
}

/* Names are not unique: a run with a name that another row has gets its id, too. */
int bill_by_run(struct bill_rows *rows, const struct bill *bill)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < bill->run_count; i++) {
		const struct bill_run *run = &bill->runs[i];
		struct map_text_key text = map_text_key(run->name, strlen(run->name));
		char key[512];

		if (*run->name && !map_get(rows->index, &text))
			snprintf(key, sizeof(key), "%s", run->name);
		else
			snprintf(key, sizeof(key), "%.300s%s%.200s", run->name,
				 *run->name ? " " : "", run->id);
		rc = bill_rows_add(rows, key, i, run->whole_nusd, run->cpu_ns, run->priced);
	}
	return rc;
}

static const char *instance_of(const struct bill_host *host)
{
	return *host->instance_type ? host->instance_type : host->hostname;
}

/* The runs' own idle time, which no task or engine used, is idle where rows are steps or tools. */
static int add_engines(struct bill_rows *rows, const struct bill *bill)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < bill->split.presence_count; i++) {
		const struct cost_presence *presence = &bill->split.presences[i];
		const struct bill_run *run = &bill->runs[bill->presence_runs[i]];
		char key[256];

		rows->idle_nusd += presence->idle_nusd;
		snprintf(key, sizeof(key), "(%.200s itself)",
			 *run->engine ? run->engine : "engine");
		rc = bill_rows_add(rows, key, bill->presence_runs[i], presence->engine_nusd,
				   presence->engine_cpu_ns, bill_presence_priced(bill, i));
	}
	return rc;
}

/* By the names of what the runs are split into. */
static int by_part(struct bill_rows *rows, const struct bill *bill)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < bill->split.task_count; i++) {
		const struct cost_task *task = &bill->split.tasks[i];

		rc = bill_rows_add(rows, bill->tasks[i].step, bill->tasks[i].run, task->nusd,
				   task->cpu_ns, bill_presence_priced(bill, task->presence));
	}
	return rc;
}

int bill_by_step(struct bill_rows *rows, const struct bill *bill)
{
	int rc = by_part(rows, bill);

	return rc ? rc : add_engines(rows, bill);
}

int bill_by_tool(struct bill_rows *rows, const struct bill *bill)
{
	for (size_t i = 0; i < bill->split.presence_count; i++)
		rows->idle_nusd += bill->split.presences[i].idle_nusd;
	return by_part(rows, bill);
}

int bill_by_instance(struct bill_rows *rows, const struct bill *bill)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < bill->split.presence_count; i++) {
		const struct cost_presence *presence = &bill->split.presences[i];
		size_t host = bill->intervals[presence->host].host;

		rc = bill_rows_add(rows, instance_of(&bill->hosts[host]), bill->presence_runs[i],
				   presence->whole_nusd, bill->presence_cpu_ns[i],
				   bill_presence_priced(bill, i));
	}
	return rc;
}

static int most_expensive_first(const void *a_, const void *b_)
{
	const struct bill_row *a = a_, *b = b_;

	if (a->nusd != b->nusd)
		return a->nusd > b->nusd ? -1 : 1;
	if (a->cpu_ns != b->cpu_ns)
		return a->cpu_ns > b->cpu_ns ? -1 : 1;
	return strcmp(a->key, b->key);
}

void bill_rows_sort(struct bill_rows *rows)
{
	if (rows->count)
		qsort(rows->items, rows->count, sizeof(*rows->items), most_expensive_first);
}
