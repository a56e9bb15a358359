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

void settle_backlog_add(struct settle_backlog *backlog, const char *id, int64_t samples)
{
	struct settle_run *run;

	for (size_t i = backlog->next; i < backlog->count; i++)
		if (strcmp(backlog->runs[i].id, id) == 0) {
			drop(backlog, i);
			break;
		}
	if (backlog->count == SETTLE_BACKLOG_MAX || backlog->next == backlog->count)
		pack(backlog);
	if (backlog->count == SETTLE_BACKLOG_MAX)
		return; /* it is settled after the next start */
	run = &backlog->runs[backlog->count++];
	snprintf(run->id, sizeof(run->id), "%s", id);
	run->samples = samples;
}

bool settle_backlog_has_next(const struct settle_backlog *backlog)
{
	return backlog->next < backlog->with_series;
}

const char *settle_backlog_take(struct settle_backlog *backlog)
{
	return settle_backlog_has_next(backlog) ? backlog->runs[backlog->next++].id : NULL;
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
