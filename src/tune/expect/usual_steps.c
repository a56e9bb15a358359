/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/expect/usual_steps.h"

#include <errno.h>
#include <stdlib.h>

static int make_room(struct usual_steps *steps)
{
	size_t capacity = steps->capacity ? 2 * steps->capacity : 16;
	struct usual_step *more;

	if (steps->count < steps->capacity)
		return 0;
	more = realloc(steps->items, capacity * sizeof(*more));
	if (!more)
		return -ENOMEM;
	steps->items = more;
	steps->capacity = capacity;
	return 0;
}

static void note(struct usual_steps *steps, const struct usual *usual)
{
	if (usual->history_runs > steps->history_runs)
		steps->history_runs = usual->history_runs;
	if (steps->count == 1 || usual->runs_missing < steps->runs_missing)
		steps->runs_missing = usual->runs_missing;
}

int usual_steps_add(struct usual_steps *steps, const char *name, const struct step_task *tasks,
		    size_t count, const char *run_id)
{
	struct usual_step *step;
	int rc = make_room(steps);

	if (rc)
		return rc;
	step = &steps->items[steps->count++];
	*step = (struct usual_step){ .name = name };
	rc = step_history_of(tasks, count, &step->history);
	if (rc == 0)
		rc = usual_judge(&step->history, run_id, &step->usual);
	if (rc == 0)
		note(steps, &step->usual);
	return rc;
}

void usual_steps_clear(struct usual_steps *steps)
{
	for (size_t i = 0; i < steps->count; i++)
		step_history_clear(&steps->items[i].history);
	free(steps->items);
	*steps = (struct usual_steps){ 0 };
}

size_t usual_steps_unusual(const struct usual_steps *steps, size_t *ret_known)
{
	size_t unusual = 0;

	*ret_known = 0;
	for (size_t i = 0; i < steps->count; i++) {
		unusual += steps->items[i].usual.count > 0;
		*ret_known += steps->items[i].usual.known;
	}
	return unusual;
}
