/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * What runs and tasks have in common: a count of references, a list of all, and a queue of those
 * that changed. The first member of struct run and struct task.
 */
struct entity {
	struct entity *next, **link; /* the list of all */
	struct entity *next_change;
	unsigned references;
	bool is_task, waiting;
	bool live; /* not ended; holds one reference */
};

struct entities {
	struct entity *all;
	struct entity *first_change, **last_change;
	size_t live_runs, live_tasks;
};

void entities_init(struct entities *entities);
/* Frees all, including those with references. */
void entities_clear(struct entities *entities);
/* Adds a new one: live, with one reference, which entity_end drops. */
void entity_begin(struct entities *entities, struct entity *entity, bool is_task);
void entity_end(struct entities *entities, struct entity *entity);
/* Adds it to the queue of changes, once. */
void entity_changed(struct entities *entities, struct entity *entity);
/* Takes the next out of the queue; the caller owns the queue's reference. NULL: none. */
struct entity *entity_next_change(struct entities *entities);

/* Both accept NULL. Dropping the last reference frees it. */
void entity_ref(struct entity *entity);
void entity_unref(struct entity *entity);
