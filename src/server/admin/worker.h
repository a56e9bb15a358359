/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/admin/job.h"

/*
 * The thread of a lake that does what takes long and belongs to no request: jobs that an
 * administrator asked for (job.h), one at a time, and between them the removal of old rows
 * (retention.h). It has a thread of its own, of low priority, because a request must not take
 * minutes.
 */
struct server;
struct worker;

/* How the last job is. */
struct worker_state {
	struct job job;
	uint64_t number; /* of the job, from 1; 0: there was none */
	enum { WORKER_RUNS, WORKER_DONE, WORKER_FAILED } state;
	char words[160]; /* how far it is */
	struct error err;
	bool faulty;
	char *report, *path; /* NULL: none; of who asked for the state (free) */
};

int worker_start(struct worker **ret, struct server *server, struct error *err);
/* Ends a job as soon as it can be. NULL is fine. */
void worker_stop(struct worker *worker);

/* Begins a job; *ret_number is its number. -EBUSY with words: another one runs. */
int worker_begin(struct worker *worker, const struct job *job, uint64_t *ret_number,
		 struct error *err);
void worker_look(struct worker *worker, struct worker_state *ret);
