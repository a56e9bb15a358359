/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/process/process_table.h"

#include <stdlib.h>

#include "base/hash.h"

#define CHAINS_FIRST 64 /* a power of two */
#define AHEAD        16 /* so many chains ahead of a visit, processes are fetched into the cache */

/* A hash table of processes, chained through the processes themselves: an entry of base/map for
 * each would be a sixth more. */
struct chains {
	struct process **heads;
	size_t mask, count;
};

/* Those that live are apart from those that ended: they are walked several times a second, and
 * after many short ones have run they are few. */
struct process_table {
	struct images *images;
	uint64_t factor; /* odd, and random */
	size_t limit;
	struct chains live, ended;
};

static struct chains chains_new(void)
{
	return (struct chains){ .heads = calloc(CHAINS_FIRST, sizeof(struct process *)),
				.mask = CHAINS_FIRST - 1 };
}

struct process_table *process_table_new(size_t limit, struct images *images)
{
	struct process_table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	*table = (struct process_table){ .images = images,
					 .factor = hash_seed(3).words[0] | 1,
					 .limit = limit,
					 .live = chains_new(),
					 .ended = chains_new() };
	if (!table->live.heads || !table->ended.heads) {
		process_table_free(table);
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
	process_table_visit_ended(table, remove_one, table);
	free(table->live.heads);
	free(table->ended.heads);
	free(table);
}

/* By multiplication and shift (Dietzfelbinger and others, 1997): keys are the kernel's, not texts
 * that another program makes up, and each process is looked up several times. */
static size_t chain_of(const struct process_table *table, const struct chains *chains,
		       const struct probe_key *key)
{
	uint64_t product = (key->start_ns ^ (uint64_t)key->pid << 32) * table->factor;

	return (product >> 32) & chains->mask;
}

/* The link to the process, or the one where it would be. */
static struct process **find(const struct process_table *table, const struct chains *chains,
			     const struct probe_key *key)
{
	struct process **link = &chains->heads[chain_of(table, chains, key)];

	while (*link && ((*link)->key.start_ns != key->start_ns || (*link)->key.pid != key->pid))
		link = &(*link)->next;
	return link;
}

struct process *process_table_get(const struct process_table *table, const struct probe_key *key)
{
	struct process *process = *find(table, &table->live, key);

	return process ? process : *find(table, &table->ended, key);
}

/* As many chains as processes, and few more, for all of them are walked
 * several times a second. Without memory for more they get longer. */
static void grow(const struct process_table *table, struct chains *chains)
{
	struct chains old = *chains;
	struct process **heads = calloc(2 * (old.mask + 1), sizeof(struct process *)), **link;

	if (!heads)
		return;
	chains->heads = heads;
	chains->mask = 2 * old.mask + 1;
	for (size_t i = 0; i <= old.mask; i++) {
		struct process *next;

		for (struct process *process = old.heads[i]; process; process = next) {
			next = process->next;
			process->next = NULL;
			link = find(table, chains, &process->key);
			*link = process;
		}
	}
	free(old.heads);
}

static void link_in(const struct process_table *table, struct chains *chains,
		    struct process *process)
{
	if (chains->count > chains->mask)
		grow(table, chains);
	process->next = NULL;
	*find(table, chains, &process->key) = process;
	chains->count++;
}

static void take_out(const struct process_table *table, struct chains *chains,
		     const struct process *process)
{
	*find(table, chains, &process->key) = process->next;
	chains->count--;
}

struct process *process_table_add(struct process_table *table, const struct probe_key *key)
{
	bool full = process_table_count(table) >= table->limit;
	struct process *process = full ? NULL : calloc(1, sizeof(*process));

	if (!process)
		return NULL;
	process->key = *key;
	link_in(table, &table->live, process);
	return process;
}

void process_table_end(struct process_table *table, struct process *process, uint64_t ended_ns)
{
	take_out(table, &table->live, process);
	process_move(process, EVENT_END);
	process->ended_ns = ended_ns ? ended_ns : 1;
	link_in(table, &table->ended, process);
}

void process_table_revive(struct process_table *table, struct process *process)
{
	if (process_is_alive(process))
		return;
	take_out(table, &table->ended, process);
	process_move(process, EVENT_IMAGE);
	process->ended_ns = 0;
	process->lost = false;
	link_in(table, &table->live, process);
}

void process_table_remove(struct process_table *table, struct process *process)
{
	take_out(table, process_is_alive(process) ? &table->live : &table->ended, process);
	free_process(table, process);
}

size_t process_table_live(const struct process_table *table)
{
	return table->live.count;
}

size_t process_table_count(const struct process_table *table)
{
	return table->live.count + table->ended.count;
}

static void visit_chains(const struct chains *chains,
			 void (*visit)(struct process *process, void *context), void *context)
{
	if (!chains->heads) /* process_table_new ran out of memory */
		return;
	for (size_t i = 0; i <= chains->mask; i++) {
		struct process *next;

		__builtin_prefetch(chains->heads[(i + AHEAD) & chains->mask]);
		for (struct process *process = chains->heads[i]; process; process = next) {
			next = process->next;
			visit(process, context);
		}
	}
}

void process_table_visit(const struct process_table *table,
			 void (*visit)(struct process *process, void *context), void *context)
{
	visit_chains(&table->live, visit, context);
}

void process_table_visit_ended(const struct process_table *table,
			       void (*visit)(struct process *process, void *context), void *context)
{
	visit_chains(&table->ended, visit, context);
}

static void count_work(struct process *process, void *context)
{
	size_t *count = context;

	*count += !process_is_noise(process);
}

size_t process_table_work(const struct process_table *table)
{
	size_t count = 0;

	process_table_visit(table, count_work, &count);
	return count;
}

struct found {
	struct probe_key *keys; /* the table changes meanwhile */
	size_t count;
};

static void keep_unplaced(struct process *process, void *context)
{
	struct found *found = context;

	if (!process->attribution.run)
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
	struct found found = { .keys = calloc(table->live.count + 1, sizeof(*found.keys)) };

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
