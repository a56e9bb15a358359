/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/sheet.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

static void free_host(struct sheet_host *host)
{
	free(host->id);
	free(host->hostname);
	free(host->provider);
	free(host->region);
	free(host->zone);
	free(host->instance_type);
	free(host->instance_id);
	free(host->account_id);
	free(host->purchase);
	free(host->prices);
	free(host->bills);
}

static void free_run(struct sheet_run *run)
{
	free(run->id);
	free(run->name);
	free(run->pipeline);
	free(run->user);
	free(run->engine);
	free(run->cwd);
	free(run->labels);
}

static void free_task(struct sheet_task *task)
{
	free(task->id);
	free(task->name);
}

void sheet_free(struct sheet *sheet)
{
	if (!sheet)
		return;
	for (size_t i = 0; i < sheet->host_count; i++)
		free_host(&sheet->hosts[i]);
	for (size_t i = 0; i < sheet->run_count; i++)
		free_run(&sheet->runs[i]);
	for (size_t i = 0; i < sheet->task_count; i++)
		free_task(&sheet->tasks[i]);
	for (size_t i = 0; i < sheet->text_count; i++)
		free(sheet->texts[i]);
	free(sheet->texts);
	for (size_t i = 0; i < sheet->source_count; i++)
		free(sheet->sources[i]);
	free(sheet->hosts);
	free(sheet->runs);
	free(sheet->tasks);
	free(sheet->tools);
	free(sheet->entries);
	free(sheet->ups);
	free(sheet->intervals);
	free(sheet->holds);
	free(sheet->sources);
	map_free(sheet->host_index);
	map_free(sheet->run_index);
	map_free(sheet->task_index);
	map_free(sheet->text_index);
	map_free(sheet->tool_index);
	free(sheet);
}

static size_t find(const struct map *map, const char *id)
{
	struct map_text_key key = map_text_key(id, strlen(id));
	size_t at = (size_t)(uintptr_t)map_get(map, &key);

	return at ? at - 1 : SIZE_MAX;
}

size_t sheet_host(const struct sheet *sheet, const char *id)
{
	return find(sheet->host_index, id);
}

const struct sheet_price *sheet_last_price(const struct sheet_host *host)
{
	return host->price_count ? &host->prices[host->price_count - 1] : NULL;
}

size_t sheet_run(const struct sheet *sheet, const char *id)
{
	return find(sheet->run_index, id);
}
