/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * What runs and tasks have in common: they are counted by who refers to them, stand in the list of
 * all, and wait in line when they changed. The first member of struct run and struct task.
 */
struct entity {
	struct entity *next, **link; /* the list of all: for the end */
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
/* Frees them all, whoever refers to them. */
void entities_clear(struct entities *entities);
/* Enters one that was just made: live, with the one reference that goes with it. */
void entity_begin(struct entities *entities, struct entity *entity, bool is_task);
void entity_end(struct entities *entities, struct entity *entity);
/* Puts it in line, once. */
void entity_changed(struct entities *entities, struct entity *entity);
/* Takes the next out of line; the caller has the line's reference. NULL: none. */
struct entity *entity_next_change(struct entities *entities);

/* NULL is fine for both. The last reference frees it. */
void entity_ref(struct entity *entity);
void entity_unref(struct entity *entity);
