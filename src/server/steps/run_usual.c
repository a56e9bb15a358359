/* SPDX-License-Identifier: Apache-2.0 */
#include "server/steps/run_usual.h"

int run_usual_read(struct server *server, const char *run_id, enum history_of of,
		   const char *reader, struct run_usual *ret, struct error *err)
{
	int rc = pipeline_history_of_run(server, run_id, of, reader, &ret->history, err);

	if (rc)
		return rc;
	for (size_t i = 0; rc == 0 && i < ret->history.run_step_count; i++) {
		const struct pipeline_step *step = &ret->history.steps[i];

		rc = usual_steps_add(&ret->steps, step->name, step->tasks, step->count, run_id);
	}
	return rc ? error_set(err, rc, "no memory for the history of the run") : 0;
}

void run_usual_clear(struct run_usual *usual)
{
	usual_steps_clear(&usual->steps);
	pipeline_history_clear(&usual->history);
}
