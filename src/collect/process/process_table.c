/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/process/process_table.h"

#include <stdlib.h>

#include "base/hash.h"

#define CHAINS_FIRST 64 /* a power of two */

/* Chains through the processes themselves: an entry of base/map for each would be a sixth more. */
struct process_table {
	struct images *images;
	uint64_t factor; /* odd, and random */
	struct process **chains;
	size_t mask, limit, count;
	size_t ended;
};

struct process_table *process_table_new(size_t limit, struct images *images)
{
	struct process_table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	*table = (struct process_table){ .images = images,
					 .factor = hash_seed(3).words[0] | 1,
					 .chains = calloc(CHAINS_FIRST, sizeof(struct process *)),
					 .mask = CHAINS_FIRST - 1,
					 .limit = limit };
	if (!table->chains) {
		free(table);
		return NULL;
	}
	return table;
}

static void free_process(struct process_table *table, struct process *process)
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
	process_table_remove(context, process);
}

void process_table_free(struct process_table *table)
{
	if (!table)
		return;
	process_table_visit(table, remove_one, table);
	free(table->chains);
	free(table);
}

/* By multiplication and shift (Dietzfelbinger and others, 1997): keys are the kernel's, not texts
 * that another program makes up, and each process is looked up several times. */
static size_t chain_of(const struct process_table *table, const struct probe_key *key)
{
	uint64_t product = (key->start_ns ^ (uint64_t)key->pid << 32) * table->factor;

	return (product >> 32) & table->mask;
}

/* The link to the process, or the one where it would be. */
static struct process **find(const struct process_table *table, const struct probe_key *key)
{
	struct process **link = &table->chains[chain_of(table, key)];

	while (*link && ((*link)->key.start_ns != key->start_ns || (*link)->key.pid != key->pid))
		link = &(*link)->next;
	return link;
}

struct process *process_table_get(const struct process_table *table, const struct probe_key *key)
{
	return *find(table, key);
}

/* As many chains as processes, and few more, for all of them are walked
 * several times a second. Without memory for more they get longer. */
static void grow(struct process_table *table)
{
	struct process_table old = *table;
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

struct process *process_table_add(struct process_table *table, const struct probe_key *key)
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

void process_table_end(struct process_table *table, struct process *process, uint64_t ended_ns)
{
	process_move(process, EVENT_END);
	table->ended++;
	process->ended_ns = ended_ns ? ended_ns : 1;
}

void process_table_revive(struct process_table *table, struct process *process)
{
	if (process_is_alive(process))
		return;
	process_move(process, EVENT_IMAGE);
	table->ended--;
	process->ended_ns = 0;
	process->lost = false;
}

void process_table_remove(struct process_table *table, struct process *process)
{
	*find(table, &process->key) = process->next;
	table->count--;
	if (!process_is_alive(process))
		table->ended--;
	free_process(table, process);
}

size_t process_table_live(const struct process_table *table)
{
	return table->count - table->ended;
}

size_t process_table_count(const struct process_table *table)
{
	return table->count;
}

void process_table_visit(struct process_table *table,
			 void (*visit)(struct process *process, void *context), void *context)
{
	for (size_t i = 0; i <= table->mask; i++) {
		struct process *next;

		for (struct process *process = table->chains[i]; process; process = next) {
			next = process->next;
			visit(process, context);
		}
	}
}

static void count_work(struct process *process, void *context)
{
	size_t *count = context;

	*count += process_is_alive(process) && !process_is_noise(process);
}

size_t process_table_work(const struct process_table *table)
{
	struct process_table *visited = (struct process_table *)table;
	size_t count = 0;

	process_table_visit(visited, count_work, &count);
	return count;
}

struct found {
	struct probe_key *keys; /* the table changes meanwhile */
	size_t count;
};

static void keep_unplaced(struct process *process, void *context)
{
	struct found *found = context;

	if (process_is_alive(process) && !process->attribution.run)
		found->keys[found->count++] = process->key;
}

static int by_start(const void *a, const void *b)
{
	const struct probe_key *left = a, *right = b;

	return left->start_ns < right->start_ns ? -1 : left->start_ns > right->start_ns;
}

void process_table_visit_unplaced(struct process_table *table,
				  void (*visit)(struct process *process, void *context),
				  void *context)
{
	struct found found = { .keys = calloc(table->count + 1, sizeof(*found.keys)) };

	if (!found.keys)
		return;
	process_table_visit(table, keep_unplaced, &found);
	qsort(found.keys, found.count, sizeof(*found.keys), by_start);
	for (size_t i = 0; i < found.count; i++) {
		struct process *process = process_table_get(table, &found.keys[i]);

		if (process && !process->attribution.run)
			visit(process, context);
	}
	free(found.keys);
}
