/* SPDX-License-Identifier: Apache-2.0 */
#include "server/findings/settle_backlog.h"

#include <stdio.h>
#include <string.h>

/* Moves what is left to the front. */
static void pack(struct settle_backlog *backlog)
{
	size_t left = backlog->count - backlog->next;

	memmove(backlog->runs, backlog->runs + backlog->next, left * sizeof(backlog->runs[0]));
	backlog->with_series -= backlog->next;
	backlog->count = left;
	backlog->next = 0;
}

static void drop(struct settle_backlog *backlog, size_t place)
{
	size_t behind = backlog->count - place - 1;

	memmove(&backlog->runs[place], &backlog->runs[place + 1],
		behind * sizeof(backlog->runs[0]));
	backlog->count--;
	backlog->with_series -= place < backlog->with_series;
}

bool settle_backlog_has_room(const struct settle_backlog *backlog)
{
	return backlog->count - backlog->next + SETTLE_RUNS_MAX <= SETTLE_BACKLOG_MAX;
}

/* The place of the run; count: it is not in it. */
static size_t find(const struct settle_backlog *backlog, const char *id)
{
	size_t i = backlog->next;

	while (i < backlog->count && strcmp(backlog->runs[i].id, id) != 0)
		i++;
	return i;
}

bool settle_backlog_has(const struct settle_backlog *backlog, const char *id)
{
	return find(backlog, id) < backlog->count;
}

void settle_backlog_add(struct settle_backlog *backlog, const char *id, int64_t executions,
			int64_t samples)
{
	size_t place = find(backlog, id);
	struct settle_run *run;

	if (place < backlog->count)
		drop(backlog, place);
	if (backlog->count == SETTLE_BACKLOG_MAX || backlog->next == backlog->count)
		pack(backlog);
	if (backlog->count == SETTLE_BACKLOG_MAX)
		return; /* it is settled after the next start */
	run = &backlog->runs[backlog->count++];
	snprintf(run->id, sizeof(run->id), "%s", id);
	run->executions = executions;
	run->samples = samples;
}

bool settle_backlog_has_next(const struct settle_backlog *backlog)
{
	return backlog->next < backlog->with_series;
}

size_t settle_backlog_take(struct settle_backlog *backlog, size_t runs_max, int64_t executions_max,
			   const char *ids[])
{
	int64_t executions = 0;
	size_t count = 0;

	while (settle_backlog_has_next(backlog) && count < runs_max) {
		const struct settle_run *run = &backlog->runs[backlog->next];

		executions += run->executions;
		if (count && executions > executions_max)
			break;
		ids[count++] = run->id;
		backlog->next++;
	}
	return count;
}

size_t settle_backlog_begin_series(struct settle_backlog *backlog, int64_t samples_max,
				   const char *ids[SETTLE_RUNS_MAX])
{
	int64_t samples = 0;
	size_t count = 0;

	while (backlog->with_series < backlog->count && count < SETTLE_RUNS_MAX) {
		const struct settle_run *run = &backlog->runs[backlog->with_series];

		samples += run->samples;
		if (count && samples > samples_max)
			break;
		ids[count++] = run->id;
		backlog->with_series++;
	}
	return count;
}
