#include "collect/table.h"

#include <malloc.h>
#include <stdlib.h>

#include "base/map.h"

#define TRIM_AT 512 /* processes come and gone that are worth it */

struct table_key { /* no padding: it is hashed */
	uint64_t start_ns, pid;
};

struct table {
	struct map *map;
	struct images *images;
	size_t ended, turnover; /* turnover: since the last trim */
};

struct table *table_new(size_t limit, struct images *images)
{
	struct table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->images = images;
	table->map = map_new(sizeof(struct table_key), limit);
	if (!table->map) {
		free(table);
		return NULL;
	}
	return table;
}

static void free_process(struct table *table, struct process *process)
{
	images_release(table->images, process->image);
	free(process->unsent);
	free(process);
}

static bool free_one(const void *key, void *value, void *context)
{
	free_process(context, value);
	return true;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	map_visit(table->map, free_one, table);
	map_free(table->map);
	free(table);
}

static struct table_key key_of(const struct probe_key *key)
{
	return (struct table_key){ .start_ns = key->start_ns, .pid = key->pid };
}

struct process *table_get(const struct table *table, const struct probe_key *key)
{
	struct table_key own = key_of(key);

	return map_get(table->map, &own);
}

struct process *table_add(struct table *table, const struct probe_key *key)
{
	struct table_key own = key_of(key);
	struct process *process = calloc(1, sizeof(*process));

	if (!process)
		return NULL;
	process->key = *key;
	if (map_put(table->map, &own, process) < 0) {
		free(process);
		return NULL;
	}
	table->turnover++;
	return process;
}

void table_end(struct table *table, struct process *process, uint64_t ended_ns)
{
	if (!process->ended_ns)
		table->ended++;
	process->ended_ns = ended_ns ? ended_ns : 1;
}

int64_t process_ended_at(const struct process *process)
{
	if (process->ended_ns <= process->image_at_ns)
		return process->started_at;
	return process->started_at + (int64_t)(process->ended_ns - process->image_at_ns);
}

void table_remove(struct table *table, struct process *process)
{
	struct table_key own = key_of(&process->key);

	map_remove(table->map, &own);
	if (process->ended_ns)
		table->ended--;
	free_process(table, process);
	table->turnover++;
}

void table_trim(struct table *table)
{
	if (table->turnover < TRIM_AT)
		return;
	table->turnover = 0;
	malloc_trim(0);
}

size_t table_live(const struct table *table)
{
	return map_count(table->map) - table->ended;
}

size_t table_count(const struct table *table)
{
	return map_count(table->map);
}

struct visit {
	void (*visit)(struct process *process, void *context);
	void *context;
};

static bool visit_one(const void *key, void *value, void *context)
{
	const struct visit *visit = context;

	visit->visit(value, visit->context);
	return true;
}

void table_visit(struct table *table, void (*visit)(struct process *process, void *context),
		 void *context)
{
	struct visit both = { visit, context };

	map_visit(table->map, visit_one, &both);
}
