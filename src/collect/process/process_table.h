/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "collect/process/process.h"

/*
 * The table of all tracked processes, by pid and start, with a hard cap; those that have ended are
 * in it as long as the owner wants.
 */
struct process_table;

/* At most `limit` processes. images is not owned and must outlive it. NULL only without memory. */
struct process_table *process_table_new(size_t limit, struct images *images);
void process_table_free(struct process_table *table); /* NULL is fine */

/* NULL: not found. */
struct process *process_table_get(const struct process_table *table, const struct probe_key *key);
/* A new, zeroed process with this key (which is not there yet). NULL: full, or no memory. */
struct process *process_table_add(struct process_table *table, const struct probe_key *key);
/* The process has ended: counted as such from here. */
void process_table_end(struct process_table *table, struct process *process, uint64_t ended_ns);
/* It was taken to be gone, and is alive. */
void process_table_revive(struct process_table *table, struct process *process);
/* Forgets a process, which is of no run and task any more. */
void process_table_remove(struct process_table *table, struct process *process);

size_t process_table_live(const struct process_table *table);
size_t process_table_count(const struct process_table *table); /* with those that ended */
/* Live processes that are tracked work. */
size_t process_table_work(const struct process_table *table);

/* Visits each that is alive; visit may end or remove the process that it is called with, no other,
 * and adds and revives none. */
void process_table_visit(const struct process_table *table,
			 void (*visit)(struct process *process, void *context), void *context);
/* The same of those that have ended. */
void process_table_visit_ended(const struct process_table *table,
			       void (*visit)(struct process *process, void *context),
			       void *context);
/* Visits each that is alive and in no run, parents before their children. visit may add and remove
 * others, and place them. */
void process_table_visit_unplaced(struct process_table *table,
				  void (*visit)(struct process *process, void *context),
				  void *context);
