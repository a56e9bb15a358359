#include "collect/table.h"

#include <stdlib.h>

#include "base/hash.h"

struct table_key { /* no padding: it is hashed */
	uint64_t start_ns, pid;
};

#define CHAINS_FIRST 64 /* a power of two */

/* Chains through the processes themselves: an entry of base/map for each would be a sixth more. */
struct table {
	struct images *images;
	struct hash_seed seed;
	struct process **chains;
	size_t mask, limit, count;
	size_t ended;
};

struct table *table_new(size_t limit, struct images *images)
{
	struct table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	*table = (struct table){ .images = images,
				 .seed = hash_seed(3),
				 .chains = calloc(CHAINS_FIRST, sizeof(struct process *)),
				 .mask = CHAINS_FIRST - 1,
				 .limit = limit };
	if (!table->chains) {
		free(table);
		return NULL;
	}
	return table;
}

static void free_process(struct table *table, struct process *process)
{
	images_release(table->images, process->image);
	free(process->seen);
	free(process->sent);
	free(process->carried);
	free(process->failure);
	free(process);
}

static void remove_one(struct process *process, void *context)
{
	table_remove(context, process);
}

void table_free(struct table *table)
{
	if (!table)
		return;
	table_visit(table, remove_one, table);
	free(table->chains);
	free(table);
}

/* The link to the process, or the one where it would stand. */
static struct process **find(const struct table *table, const struct probe_key *key)
{
	struct table_key own = { .start_ns = key->start_ns, .pid = key->pid };
	struct process **link =
		&table->chains[hash_bytes(table->seed, &own, sizeof(own)) & table->mask];

	while (*link && ((*link)->key.start_ns != key->start_ns || (*link)->key.pid != key->pid))
		link = &(*link)->next;
	return link;
}

struct process *table_get(const struct table *table, const struct probe_key *key)
{
	return *find(table, key);
}

/* As many chains as processes, and few more, for all of them are walked
 * several times a second. Without memory for more they get longer. */
static void grow(struct table *table)
{
	struct table old = *table;
	struct process **chains = calloc(2 * (old.mask + 1), sizeof(struct process *)), **link;

	if (!chains)
		return;
	table->chains = chains;
	table->mask = 2 * old.mask + 1;
	for (size_t i = 0; i <= old.mask; i++) {
		struct process *next;

		for (struct process *process = old.chains[i]; process; process = next) {
			next = process->next;
			process->next = NULL;
			link = find(table, &process->key);
			*link = process;
		}
	}
	free(old.chains);
}

struct process *table_add(struct table *table, const struct probe_key *key)
{
	struct process *process = table->count < table->limit ? calloc(1, sizeof(*process)) : NULL;

	if (!process)
		return NULL;
	if (table->count > table->mask)
		grow(table);
	process->key = *key;
	*find(table, key) = process;
	table->count++;
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
	*find(table, &process->key) = process->next;
	table->count--;
	if (process->ended_ns)
		table->ended--;
	free_process(table, process);
}

size_t table_live(const struct table *table)
{
	return table->count - table->ended;
}

size_t table_count(const struct table *table)
{
	return table->count;
}

void table_visit(struct table *table, void (*visit)(struct process *process, void *context),
		 void *context)
{
	for (size_t i = 0; i <= table->mask; i++) {
		struct process *next;

		for (struct process *process = table->chains[i]; process; process = next) {
			next = process->next;
			visit(process, context);
		}
	}
}
