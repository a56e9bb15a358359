/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/sheet_fill.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/map.h"
#include "cost/sheet_private.h"
#include "signal/bounds.h"

#define INDEX_MAX (1 << 24)
#define HOUR_NS   (3600 * NS_PER_S)

void *sheet_grow(void *items_, size_t count, size_t size)
{
	void **items = items_;
	void *more;

	if (count && (count & (count - 1)))
		return *items;
	more = realloc(*items, size * (count ? 2 * count : 1));
	if (more)
		*items = more;
	return more;
}

char *sheet_copy(const char *text)
{
	return strdup(text ? text : "");
}

const char *sheet_text(struct sheet *sheet, const char *text, size_t len)
{
	struct map_text_key key;
	size_t at;

	if (len == 0)
		return "";
	key = map_text_key(text, len);
	at = (size_t)(uintptr_t)map_get(sheet->text_index, &key);
	if (at)
		return sheet->texts[at - 1];
	if (!SHEET_GROW(sheet->texts, sheet->text_count))
		return NULL;
	sheet->texts[sheet->text_count] = strndup(text, len);
	if (!sheet->texts[sheet->text_count] ||
	    map_put(sheet->text_index, &key, (void *)(uintptr_t)++sheet->text_count))
		return NULL;
	return sheet->texts[sheet->text_count - 1];
}

static int index_put(struct map *map, const char *text, size_t len, size_t index)
{
	struct map_text_key key = map_text_key(text, len);

	return map_put(map, &key, (void *)(uintptr_t)(index + 1)) ? -ENOMEM : 0;
}

static int64_t hour_of(int64_t at)
{
	int64_t rest = at % HOUR_NS;

	return at - rest - (rest < 0 ? HOUR_NS : 0);
}

struct sheet *sheet_new(int64_t since_at, int64_t until_at, enum sheet_bucket bucket)
{
	CLEANUP(sheet_freep) struct sheet *sheet = calloc(1, sizeof(*sheet));

	if (!sheet)
		return NULL;
	sheet->until_at = hour_of(until_at + HOUR_NS - 1);
	sheet->since_at = hour_of(since_at);
	if (sheet->since_at < sheet->until_at - SHEET_MAX_NS)
		sheet->since_at = sheet->until_at - SHEET_MAX_NS;
	sheet->bucket = bucket;
	sheet->host_index = map_new_of_texts(INDEX_MAX);
	sheet->run_index = map_new_of_texts(INDEX_MAX);
	sheet->task_index = map_new_of_texts(INDEX_MAX);
	sheet->text_index = map_new_of_texts(INDEX_MAX);
	sheet->tool_index = map_new_of_texts(INDEX_MAX);
	if (!sheet->host_index || !sheet->run_index || !sheet->task_index || !sheet->text_index ||
	    !sheet->tool_index)
		return NULL;
	return TAKE_PTR(sheet);
}

static struct cost_host machine_of(const struct sheet_host_facts *facts, double cpus)
{
	struct cost_host machine = { .capacity = { [COST_CPU] =
							   (uint64_t)llround(cpus * COST_MILLION),
						   [COST_MEMORY] = facts->memory_bytes >> 10,
						   [COST_GPU] = facts->gpus * COST_MILLION } };

	memcpy(machine.weight_ppm, facts->weight_ppm, sizeof(machine.weight_ppm));
	return machine;
}

int sheet_add_host(struct sheet *sheet, const struct sheet_host_facts *facts)
{
	/* A store of an earlier version may hold an impossible number. */
	double cpus = facts->cpus > 0 && facts->cpus <= BOUND_CPUS ? facts->cpus : 0;
	struct sheet_host *host;

	if (!SHEET_GROW(sheet->hosts, sheet->host_count))
		return -ENOMEM;
	host = &sheet->hosts[sheet->host_count++];
	*host = (struct sheet_host){ .id = sheet_copy(facts->id),
				     .hostname = sheet_copy(facts->hostname),
				     .provider = sheet_copy(facts->provider),
				     .region = sheet_copy(facts->region),
				     .zone = sheet_copy(facts->zone),
				     .instance_type = sheet_copy(facts->instance_type),
				     .instance_id = sheet_copy(facts->instance_id),
				     .account_id = sheet_copy(facts->account_id),
				     .purchase = sheet_copy(facts->purchase),
				     .machine = machine_of(facts, cpus),
				     .cpus = cpus,
				     .memory_bytes = facts->memory_bytes,
				     .priced = true };
	if (!host->id || !host->hostname || !host->provider || !host->region || !host->zone ||
	    !host->instance_type || !host->instance_id || !host->account_id || !host->purchase)
		return -ENOMEM;
	return index_put(sheet->host_index, host->id, strlen(host->id), sheet->host_count - 1);
}

/* The text of a source, of which most are the same as the last one. NULL: no memory. */
static const char *keep_source(struct sheet *sheet, const char *source)
{
	size_t count = sheet->source_count;

	source = source ? source : "";
	if (count && strcmp(sheet->sources[count - 1], source) == 0)
		return sheet->sources[count - 1];
	if (!SHEET_GROW(sheet->sources, count))
		return NULL;
	sheet->sources[count] = strdup(source);
	if (sheet->sources[count])
		sheet->source_count++;
	return sheet->sources[count];
}

int sheet_add_price(struct sheet *sheet, size_t host_, int64_t since_at, double usd_hour,
		    const char *source)
{
	struct sheet_host *host = &sheet->hosts[host_];
	bool known = usd_hour > 0 && usd_hour <= BOUND_PRICE_USD_HOUR;
	struct sheet_price price = { .since_at = since_at,
				     .nusd_hour = known ? llround(usd_hour * 1e9) : 0,
				     .source = keep_source(sheet, source),
				     .known = known };

	if (!price.source)
		return -ENOMEM;
	if (host->price_count && host->prices[host->price_count - 1].since_at >= since_at)
		host->price_count--;
	else if (!SHEET_GROW(host->prices, host->price_count))
		return -ENOMEM;
	host->prices[host->price_count++] = price;
	return 0;
}

int sheet_add_billed(struct sheet *sheet, size_t host_, int64_t since_at, int64_t until_at,
		     int64_t nusd_hour, const char *source)
{
	struct sheet_host *host = &sheet->hosts[host_];
	bool known = nusd_hour >= 0 && nusd_hour <= COST_NUSD_HOUR_LIMIT;
	struct sheet_price price = { since_at, until_at, nusd_hour, keep_source(sheet, source),
				     true };

	if (!price.source)
		return -ENOMEM;
	if (!known || until_at <= since_at ||
	    (host->bill_count && host->bills[host->bill_count - 1].until_at > since_at))
		return 0;
	if (!SHEET_GROW(host->bills, host->bill_count))
		return -ENOMEM;
	host->bills[host->bill_count++] = price;
	return 0;
}

int sheet_add_run(struct sheet *sheet, const struct sheet_run_facts *facts)
{
	struct sheet_run *run;

	if (!SHEET_GROW(sheet->runs, sheet->run_count))
		return -ENOMEM;
	run = &sheet->runs[sheet->run_count++];
	*run = (struct sheet_run){ .id = sheet_copy(facts->id),
				   .name = sheet_copy(facts->name),
				   .pipeline = sheet_copy(facts->pipeline),
				   .user = sheet_copy(facts->user),
				   .engine = sheet_copy(facts->engine),
				   .cwd = sheet_copy(facts->cwd),
				   .labels = sheet_copy(facts->labels) };
	if (!run->id || !run->name || !run->pipeline || !run->user || !run->engine || !run->cwd ||
	    !run->labels)
		return -ENOMEM;
	run->hash = hash_bytes((struct hash_seed){ { 0, 0 } }, run->id, strlen(run->id));
	return index_put(sheet->run_index, run->id, strlen(run->id), sheet->run_count - 1);
}

/* Whether it is, or continues, the time that was added last: most holds lie within one. */
static bool joins_last(struct sheet *sheet, size_t host, int64_t since_at, int64_t until_at)
{
	size_t last = sheet->hosts[host].last_up;
	struct interval *up = last ? &sheet->intervals[last - 1] : NULL;

	if (!up || since_at < up->since_at || since_at > up->until_at)
		return false;
	if (until_at > up->until_at)
		up->until_at = until_at;
	return true;
}

int sheet_add_up(struct sheet *sheet, size_t host, int64_t since_at, int64_t until_at)
{
	int64_t first = sheet->since_at - SHEET_GAP_NS, last = sheet->until_at + SHEET_GAP_NS;

	since_at = since_at < first ? first : since_at;
	until_at = until_at > last ? last : until_at;
	if (until_at <= since_at || joins_last(sheet, host, since_at, until_at))
		return 0;
	if (!SHEET_GROW(sheet->intervals, sheet->interval_count))
		return -ENOMEM;
	sheet->intervals[sheet->interval_count++] = (struct interval){ host, since_at, until_at };
	sheet->hosts[host].last_up = sheet->interval_count;
	return 0;
}
