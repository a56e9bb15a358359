/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "server/query/query.h"
#include "server/billing/bill_tools.h"

/* Cost by tool: what a task (or, for processes of no task, the engine) pays is shared by the CPU
 * time of its tools. */

#define TOOLS_MAX 4096 /* of one task; what is beyond shares with the last */

struct share {
	size_t run;
	int64_t nusd; /* to be shared */
	bool priced;
	size_t count;
	char *tools[TOOLS_MAX];
	unsigned __int128 weights[TOOLS_MAX];
	int64_t parts[TOOLS_MAX];
	char group[512]; /* host, run and task of the rows */
};

static int finish(struct bill_rows *rows, struct share *share)
{
	int rc = cost_share_out(share->nusd, share->weights, share->count, share->parts);

	for (size_t i = 0; i < share->count; i++) {
		if (rc == 0)
			rc = bill_rows_add(rows, share->tools[i], share->run, share->parts[i],
					   (uint64_t)share->weights[i], share->priced);
		free(share->tools[i]);
	}
	share->count = 0;
	return rc;
}

static size_t get(const struct map *map, const void *key)
{
	return (size_t)(uintptr_t)map_get(map, key);
}

static size_t find(const struct map *map, const char *id)
{
	struct map_text_key key = map_text_key(id, strlen(id));

	return get(map, &key);
}

/* What the group of the current row has to share. */
static void begin(struct share *share, const struct bill *bill, const struct store_rows *tools)
{
	size_t run = find(bill->run_index, row_text(tools, "run_id"));
	size_t host = find(bill->host_index, row_text(tools, "host_id"));
	size_t both[2] = { run - 1, host - 1 };
	struct map_text_key key = map_text_key((const char *)both, sizeof(both));
	size_t presence = run && host ? get(bill->presence_index, &key) : 0;
	size_t task = find(bill->task_index, row_text(tools, "task_id"));

	share->run = run;
	share->nusd = 0;
	share->priced = presence && bill_presence_priced(bill, presence - 1);
	if (*row_text(tools, "task_id"))
		share->nusd = task ? bill->split.tasks[task - 1].nusd : 0;
	else if (presence)
		share->nusd = bill->split.presences[presence - 1].engine_nusd;
}

static int take(struct share *share, const struct store_rows *tools)
{
	size_t at = share->count < TOOLS_MAX ? share->count : TOOLS_MAX - 1;

	if (share->count < TOOLS_MAX) {
		share->tools[at] = strdup(row_text(tools, "tool"));
		if (!share->tools[at])
			return -ENOMEM;
		share->weights[at] = 0;
		share->count++;
	}
	share->weights[at] += (unsigned __int128)row_i64(tools, "cpu_ns");
	return 0;
}

int bill_by_tool(struct bill_rows *rows, const struct bill *bill, struct store_rows *tools)
{
	struct share *share = calloc(1, sizeof(*share));
	char group[sizeof(share->group)];
	int rc = share ? 0 : -ENOMEM;

	while (rc == 0 && store_next(tools)) {
		snprintf(group, sizeof(group), "%.160s\n%.160s\n%.160s", row_text(tools, "host_id"),
			 row_text(tools, "run_id"), row_text(tools, "task_id"));
		if (strcmp(group, share->group) != 0) {
			rc = finish(rows, share);
			memcpy(share->group, group, sizeof(group));
			begin(share, bill, tools);
		}
		if (rc == 0)
			rc = take(share, tools);
	}
	if (share) {
		int last = finish(rows, share);

		rc = rc ? rc : last;
	}
	for (size_t i = 0; i < bill->split.presence_count; i++)
		rows->idle_nusd += bill->split.presences[i].idle_nusd;
	free(share);
	return rc;
}
