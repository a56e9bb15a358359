/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/ingest/batch_ledger.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct range {
	uint64_t first, last;
};

struct agent {
	struct range *ranges; /* in order; no two touch */
	size_t count, room;
};

struct batch_ledger {
	struct map *agents; /* of map_text_key to struct agent, owned */
};

static void agent_free(struct agent *agent)
{
	if (agent)
		free(agent->ranges);
	free(agent);
}

static bool free_agent(const void *key, void *value, void *context)
{
	agent_free(value);
	return true;
}

struct batch_ledger *batch_ledger_new(void)
{
	struct batch_ledger *ledger = calloc(1, sizeof(*ledger));

	if (ledger)
		ledger->agents = map_new_of_texts(BATCH_LEDGER_AGENTS_MAX);
	if (ledger && !ledger->agents) {
		free(ledger);
		return NULL;
	}
	return ledger;
}

void batch_ledger_free(struct batch_ledger *ledger)
{
	if (!ledger)
		return;
	map_visit(ledger->agents, free_agent, NULL);
	map_free(ledger->agents);
	free(ledger);
}

/* false: no memory. */
static bool key_of(const char *host_id, const char *agent_id, const char *boot_id,
		   struct map_text_key *ret)
{
	CLEANUP(buffer_clear) struct buffer text = { 0 };

	buffer_init(&text, 0);
	buffer_append(&text, host_id, strlen(host_id) + 1);
	buffer_append(&text, agent_id, strlen(agent_id) + 1);
	buffer_append(&text, boot_id, strlen(boot_id) + 1);
	if (!text.failed)
		*ret = map_text_key(text.data, text.len);
	return !text.failed;
}

static struct agent *find_agent(const struct batch_ledger *ledger, const Signal__Batch *batch)
{
	struct map_text_key key;

	return key_of(batch->host_id, batch->agent_id, batch->boot_id, &key)
		       ? map_get(ledger->agents, &key)
		       : NULL;
}

/* The index of the first range that ends at or behind the sequence. */
static size_t place_of(const struct agent *agent, uint64_t sequence)
{
	size_t low = 0, high = agent->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (agent->ranges[middle].last < sequence)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int insert(struct agent *agent, size_t place, struct range range)
{
	if (agent->count == BATCH_LEDGER_RANGES_MAX)
		return -ENOSPC;
	if (agent->count == agent->room || !agent->ranges) {
		size_t room = agent->room ? 2 * agent->room : 1;
		struct range *ranges = realloc(agent->ranges, room * sizeof(*ranges));

		if (!ranges)
			return -ENOMEM;
		agent->ranges = ranges;
		agent->room = room;
	}
	memmove(&agent->ranges[place + 1], &agent->ranges[place],
		(agent->count++ - place) * sizeof(range));
	agent->ranges[place] = range;
	return 0;
}

/* Merges the ranges from `place` on into it as far as they touch. */
static void close_gaps(struct agent *agent, size_t place)
{
	struct range *range = &agent->ranges[place];
	size_t next = place + 1;

	while (next < agent->count && agent->ranges[next].first <= range->last + 1) {
		if (agent->ranges[next].last > range->last)
			range->last = agent->ranges[next].last;
		next++;
	}
	memmove(range + 1, &agent->ranges[next], (agent->count - next) * sizeof(*range));
	agent->count -= next - place - 1;
}

static int add_range(struct agent *agent, struct range range)
{
	/* The range that ends just before this one is extended, too. */
	size_t place = place_of(agent, range.first ? range.first - 1 : 0);

	if (!agent->ranges || place == agent->count || agent->ranges[place].first > range.last + 1)
		return insert(agent, place, range);
	if (range.first < agent->ranges[place].first)
		agent->ranges[place].first = range.first;
	if (range.last > agent->ranges[place].last)
		agent->ranges[place].last = range.last;
	close_gaps(agent, place);
	return 0;
}

int batch_ledger_add_range(struct batch_ledger *ledger, const char *host_id, const char *agent_id,
			   const char *boot_id, uint64_t first, uint64_t last)
{
	struct map_text_key key;
	struct agent *agent;
	int rc;

	if (!key_of(host_id, agent_id, boot_id, &key))
		return -ENOMEM;
	agent = map_get(ledger->agents, &key);
	if (agent)
		return add_range(agent, (struct range){ first, last });
	agent = calloc(1, sizeof(*agent));
	rc = agent ? add_range(agent, (struct range){ first, last }) : -ENOMEM;
	if (!rc)
		rc = map_put(ledger->agents, &key, agent);
	if (rc)
		agent_free(agent);
	return rc;
}

int batch_ledger_add(struct batch_ledger *ledger, const Signal__Batch *batch)
{
	return batch_ledger_add_range(ledger, batch->host_id, batch->agent_id, batch->boot_id,
				      batch->sequence, batch->sequence);
}

bool batch_ledger_has(const struct batch_ledger *ledger, const Signal__Batch *batch)
{
	const struct agent *agent = find_agent(ledger, batch);
	size_t place = agent ? place_of(agent, batch->sequence) : 0;

	return agent && place < agent->count && agent->ranges[place].first <= batch->sequence;
}

bool batch_ledger_is_full(const struct batch_ledger *ledger, const Signal__Batch *batch)
{
	const struct agent *agent = find_agent(ledger, batch);

	return agent ? agent->count == BATCH_LEDGER_RANGES_MAX
		     : map_count(ledger->agents) == BATCH_LEDGER_AGENTS_MAX;
}
