/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/invoice/seen_hour.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int by_instance_and_hour(const void *a_, const void *b_)
{
	const struct seen_hour *a = a_, *b = b_;
	int order = strcmp(a->instance_id, b->instance_id);

	return order ? order : (a->hour_at > b->hour_at) - (a->hour_at < b->hour_at);
}

/* An instance may have had several hosts in an hour: after a new image it has another host id. */
static size_t merge_same(struct seen_hour *hours, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct seen_hour *last = kept ? &hours[kept - 1] : NULL;

		if (!last || by_instance_and_hour(last, &hours[i]) != 0) {
			hours[kept++] = hours[i];
			continue;
		}
		last->up_ns += hours[i].up_ns;
		last->unallocated_nusd += hours[i].unallocated_nusd;
	}
	return kept;
}

static struct seen_hour *find(struct seen_hour *hours, size_t count, const struct sheet *sheet,
			      size_t host, int64_t since_at)
{
	const struct seen_hour key = { .instance_id = sheet->hosts[host].instance_id,
				       .hour_at = since_at };

	return *key.instance_id ? bsearch(&key, hours, count, sizeof(key), by_instance_and_hour)
				: NULL;
}

static void add_entries(struct seen_hour *hours, size_t count, const struct sheet *sheet)
{
	for (size_t i = 0; i < sheet->entry_count; i++) {
		const struct sheet_entry *entry = &sheet->entries[i];
		const struct sheet_task *task = &sheet->tasks[entry->task];
		struct seen_hour *hour = find(hours, count, sheet, task->host, entry->since_at);

		if (!hour)
			continue;
		if (*task->id)
			hour->tasks_nusd += cost_part_sum(&entry->part);
		else
			hour->engines_nusd += cost_part_sum(&entry->part);
	}
}

static void add_listed(struct seen_hour *hours, size_t count, const struct sheet *sheet)
{
	for (size_t i = 0; i < sheet->up_count; i++) {
		const struct sheet_up *up = &sheet->ups[i];
		struct seen_hour *hour = find(hours, count, sheet, up->host, up->since_at);

		if (!hour || !up->priced)
			continue;
		hour->listed = true;
		hour->listed_nusd += up->whole_nusd;
	}
}

int seen_hours(const struct sheet *billed, const struct sheet *listed, struct seen_hour **ret,
	       size_t *ret_count)
{
	struct seen_hour *hours = calloc(billed->up_count + 1, sizeof(*hours));
	size_t count = 0;

	if (!hours)
		return -ENOMEM;
	for (size_t i = 0; i < billed->up_count; i++) {
		const struct sheet_up *up = &billed->ups[i];

		if (*billed->hosts[up->host].instance_id)
			hours[count++] = (struct seen_hour){
				.instance_id = billed->hosts[up->host].instance_id,
				.hour_at = up->since_at,
				.up_ns = up->up_ns,
				.unallocated_nusd = up->unallocated_nusd,
			};
	}
	qsort(hours, count, sizeof(*hours), by_instance_and_hour);
	count = merge_same(hours, count);
	add_entries(hours, count, billed);
	if (listed)
		add_listed(hours, count, listed);
	*ret = hours;
	*ret_count = count;
	return 0;
}
