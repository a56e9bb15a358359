/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cost/sheet_fill.h"
#include "cost/sheet_private.h"

/* The split of one host. */
struct split {
	struct sheet *sheet;
	size_t host;
	struct sheet_stretch *stretches;
	struct cost_stretch *plain; /* the same, for cost_split() */
	size_t stretch_count, at;   /* at: the one of the current cell */
	const struct sheet_hold **holds;
	struct cost_hold *hold_copies;
	size_t *last_entry; /* of each task of the sheet: its last entry + 1 */
	size_t *waits;      /* of each task: its first entry that waits + 1; these are the first */
	size_t *next_wait;  /* of each of these: the next one of the task + 1 */
};

static int64_t bucket_of(const struct sheet *sheet, int64_t at, int64_t *ret_until)
{
	int64_t length = sheet->bucket == SHEET_HOUR ? 3600 * NS_PER_S : 86400 * NS_PER_S;
	int64_t since = at - at % length;

	if (sheet->bucket == SHEET_WINDOW || since < sheet->since_at) {
		*ret_until = sheet->bucket == SHEET_WINDOW ? sheet->until_at : since + length;
		return sheet->since_at;
	}
	*ret_until = since + length < sheet->until_at ? since + length : sheet->until_at;
	return since;
}

static const struct sheet_stretch *stretch_of(struct split *split, const struct cost_cell *cell)
{
	while (split->stretches[split->at].stretch.until_at <= cell->since_at)
		split->at++;
	return &split->stretches[split->at];
}

/* A new one. NULL: no memory. */
static struct sheet_entry *add_entry(struct sheet *sheet, size_t task, int64_t since_at,
				     int64_t until_at)
{
	struct sheet_entry *entry;

	if (!SHEET_GROW(sheet->entries, sheet->entry_count))
		return NULL;
	entry = &sheet->entries[sheet->entry_count++];
	*entry = (struct sheet_entry){
		.task = task, .since_at = since_at, .until_at = until_at, .priced = true
	};
	return entry;
}

/* The entry of a task that waits, + 1; 0: there is none. */
static size_t find_wait(const struct split *split, size_t task, int64_t since_at)
{
	size_t at = split->waits[task];

	while (at && split->sheet->entries[at - 1].since_at != since_at)
		at = split->next_wait[at - 1];
	return at;
}

/* Of the bucket of an instant, behind those that were asked for before. NULL: no memory. */
static struct sheet_entry *entry_of(struct split *split, size_t task, int64_t at)
{
	struct sheet *sheet = split->sheet;
	size_t last = split->last_entry[task];
	int64_t until_at, since_at = bucket_of(sheet, at, &until_at);

	if (last && sheet->entries[last - 1].since_at == since_at)
		return &sheet->entries[last - 1];
	last = find_wait(split, task, since_at);
	if (!last && !add_entry(sheet, task, since_at, until_at))
		return NULL;
	split->last_entry[task] = last ? last : sheet->entry_count;
	return &sheet->entries[split->last_entry[task] - 1];
}

static int take_part(void *context, const struct cost_cell *cell, size_t hold,
		     const struct cost_part *part)
{
	struct split *split = context;
	struct sheet_entry *entry = entry_of(split, split->holds[hold]->task, cell->since_at);

	if (!entry)
		return -ENOMEM;
	entry->priced &= stretch_of(split, cell)->known;
	entry->cpu_ns = sheet_sum(
		entry->cpu_ns, sheet_hold_cpu(split->holds[hold], cell->since_at, cell->until_at));
	cost_part_add(&entry->part, part);
	return 0;
}

static struct sheet_up *up_of(struct split *split, const struct cost_cell *cell)
{
	struct sheet *sheet = split->sheet;
	int64_t until, since = bucket_of(sheet, cell->since_at, &until);
	struct sheet_up *last = sheet->up_count ? &sheet->ups[sheet->up_count - 1] : NULL;

	if (last && last->host == split->host && last->since_at == since)
		return last;
	if (!SHEET_GROW(sheet->ups, sheet->up_count))
		return NULL;
	last = &sheet->ups[sheet->up_count++];
	*last = (struct sheet_up){
		.host = split->host, .since_at = since, .until_at = until, .priced = true
	};
	return last;
}

static int take_cell(void *context, const struct cost_cell *cell)
{
	struct split *split = context;
	const struct sheet_stretch *stretch = stretch_of(split, cell);
	struct sheet_host *host = &split->sheet->hosts[split->host];
	struct sheet_up *up = up_of(split, cell);

	if (!up)
		return -ENOMEM;
	up->up_ns += cell->until_at - cell->since_at;
	up->whole_nusd += cell->whole_nusd;
	up->unallocated_nusd += cell->unallocated_nusd;
	up->priced &= stretch->known;
	host->up = true;
	host->priced &= stretch->known;
	host->billed |= stretch->billed;
	host->up_ns += cell->until_at - cell->since_at;
	host->whole_nusd += cell->whole_nusd;
	host->unallocated_nusd += cell->unallocated_nusd;
	return 0;
}

/* The stretches of the host, which was up in these intervals. */
static int make_stretches(struct split *split, const struct interval *intervals, size_t count)
{
	const struct sheet_host *host = &split->sheet->hosts[split->host];
	/* Each change of price is within one interval; each interval may be one stretch more. */
	size_t most = count * 2 + sheet_stretches_most(host);

	free(split->stretches);
	free(split->plain);
	split->stretches = calloc(most, sizeof(*split->stretches));
	split->plain = calloc(most, sizeof(*split->plain));
	split->stretch_count = split->at = 0;
	if (!split->stretches || !split->plain)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		split->stretch_count +=
			sheet_stretches(host, intervals[i].since_at, intervals[i].until_at,
					split->stretches + split->stretch_count);
	for (size_t i = 0; i < split->stretch_count; i++)
		split->plain[i] = split->stretches[i].stretch;
	return 0;
}

/* first, count: of the holds of the host, which follow each other. */
static int split_host(struct split *split, const struct sheet_hold **holds, size_t count,
		      enum cost_rule rule)
{
	const struct cost_sink sink = { take_part, take_cell, split };

	split->holds = holds;
	for (size_t i = 0; i < count; i++)
		split->hold_copies[i] = holds[i]->hold;
	return cost_split(&split->sheet->hosts[split->host].machine, split->plain,
			  split->stretch_count, split->hold_copies, count, rule, &sink);
}

/* Counting sort of the holds by host. first: where those of each host begin. */
static void group(const struct sheet *sheet, const struct sheet_hold **ret, size_t *first)
{
	for (size_t i = 0; i < sheet->hold_count; i++)
		first[sheet->tasks[sheet->holds[i].task].host + 2]++;
	for (size_t i = 2; i < sheet->host_count + 2; i++)
		first[i] += first[i - 1];
	for (size_t i = 0; i < sheet->hold_count; i++)
		ret[first[sheet->tasks[sheet->holds[i].task].host + 1]++] = &sheet->holds[i];
}

static int split_all(struct split *split, const struct sheet_hold **holds, const size_t *first,
		     enum cost_rule rule)
{
	const struct sheet *sheet = split->sheet;
	size_t begin = 0, end;
	int rc = 0;

	for (size_t host = 0; rc == 0 && host < sheet->host_count; host++, begin = end) {
		for (end = begin;
		     end < sheet->interval_count && sheet->intervals[end].host == host;)
			end++;
		split->host = host;
		if (end == begin)
			continue;
		rc = make_stretches(split, sheet->intervals + begin, end - begin);
		if (rc == 0)
			rc = split_host(split, holds + first[host], first[host + 1] - first[host],
					rule);
	}
	return rc;
}

/* Whether it gets a part in each cell of its time. */
static bool holds_something(const struct cost_hold *hold)
{
	bool any = false;

	for (size_t kind = 0; kind < COST_KINDS; kind++)
		any |= hold->held[kind] > 0;
	return any && hold->since_at < hold->until_at;
}

/* What only waits has no cost, and is seen by its CPU time. */
static int add_wait(struct split *split, const struct sheet_hold *hold)
{
	struct sheet *sheet = split->sheet;
	int64_t at = hold->hold.since_at, until_at, since_at;
	uint64_t cpu_ns = sheet_hold_cpu(hold, sheet->since_at, sheet->until_at);
	size_t wait;

	if (!cpu_ns)
		return 0;
	since_at = bucket_of(sheet, at > sheet->since_at ? at : sheet->since_at, &until_at);
	wait = find_wait(split, hold->task, since_at);
	if (!wait) {
		if (!add_entry(sheet, hold->task, since_at, until_at))
			return -ENOMEM;
		wait = sheet->entry_count;
		split->next_wait[wait - 1] = split->waits[hold->task];
		split->waits[hold->task] = wait;
	}
	sheet->entries[wait - 1].cpu_ns = sheet_sum(sheet->entries[wait - 1].cpu_ns, cpu_ns);
	return 0;
}

static int add_waits(struct split *split)
{
	const struct sheet *sheet = split->sheet;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sheet->hold_count; i++)
		if (!holds_something(&sheet->holds[i].hold))
			rc = add_wait(split, &sheet->holds[i]);
	return rc;
}

/* Joins the times that hosts were up, and cuts them to the time of the sheet. */
static void join_intervals(struct sheet *sheet)
{
	size_t count = intervals_join(sheet->intervals, sheet->interval_count, SHEET_GAP_NS);

	sheet->interval_count = 0;
	for (size_t i = 0; i < count; i++) {
		struct interval up = sheet->intervals[i];

		if (up.since_at < sheet->since_at)
			up.since_at = sheet->since_at;
		if (up.until_at > sheet->until_at)
			up.until_at = sheet->until_at;
		if (up.since_at < up.until_at)
			sheet->intervals[sheet->interval_count++] = up;
	}
}

static void add_up_tasks(struct sheet *sheet)
{
	for (size_t i = 0; i < sheet->entry_count; i++) {
		struct sheet_task *task = &sheet->tasks[sheet->entries[i].task];

		cost_part_add(&task->part, &sheet->entries[i].part);
		task->priced &= sheet->entries[i].priced;
	}
}

static void split_clear(struct split *split)
{
	free(split->stretches);
	free(split->plain);
	free(split->hold_copies);
	free(split->last_entry);
	free(split->waits);
	free(split->next_wait);
}

int sheet_split(struct sheet *sheet, enum cost_rule rule)
{
	CLEANUP(split_clear) struct split split = { .sheet = sheet };
	CLEANUP(freep)
	const struct sheet_hold **holds =
		calloc(sheet->hold_count + 1, sizeof(struct sheet_hold *));
	CLEANUP(freep) size_t *first = calloc(sheet->host_count + 2, sizeof(*first));
	int rc;

	split.hold_copies = calloc(sheet->hold_count + 1, sizeof(*split.hold_copies));
	split.last_entry = calloc(sheet->task_count + 1, sizeof(*split.last_entry));
	split.waits = calloc(sheet->task_count + 1, sizeof(*split.waits));
	split.next_wait = calloc(sheet->hold_count + 1, sizeof(*split.next_wait));
	if (!holds || !first || !split.hold_copies || !split.last_entry || !split.waits ||
	    !split.next_wait)
		return -ENOMEM;
	join_intervals(sheet);
	group(sheet, holds, first);
	rc = sheet_find_shared(sheet);
	rc = rc ? rc : add_waits(&split);
	rc = rc ? rc : split_all(&split, holds, first, rule);
	add_up_tasks(sheet);
	return rc;
}
