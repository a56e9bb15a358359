/* SPDX-License-Identifier: Apache-2.0 */
#include "server/admin/worker.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "server/admin/retention.h"
#include "server/server.h"

#define NICENESS     10
#define RETENTION_NS ((uint64_t)(60 * NS_PER_S)) /* from one look at the size to the next */
#define AGES_NS      (10 * RETENTION_NS) /* … for rows that are old, where none are left */

struct worker {
	struct server *server;
	pthread_t thread;
	uint64_t size_due_ns, ages_due_ns; /* of the thread */
	pthread_mutex_t lock;              /* of what follows */
	pthread_cond_t news;
	bool stopping, wanted;
	struct worker_state last; /* its report is in result */
	struct job_result result;
};

static bool is_stopping(void *context)
{
	struct worker *worker = context;
	bool stopping;

	pthread_mutex_lock(&worker->lock);
	stopping = worker->stopping;
	pthread_mutex_unlock(&worker->lock);
	return stopping;
}

static void say(void *context, const char *words)
{
	struct worker *worker = context;

	pthread_mutex_lock(&worker->lock);
	snprintf(worker->last.words, sizeof(worker->last.words), "%s", words);
	pthread_mutex_unlock(&worker->lock);
}

/* Also where someone else removes what it made. */
static void run_job(struct worker *worker, const struct job *job)
{
	const struct upkeep upkeep = { .say = say, .stopped = is_stopping, .context = worker };
	struct job_result result;
	struct error err = { "" };
	int rc;

	job_result_init(&result);
	rc = job_run(job, worker->server->store, worker->server->journal, &upkeep, &result, &err);
	if (rc)
		log_warning("%s failed: %s", job->kind, error_text(&err));
	else
		log_info("%s is done", job->kind);
	if (strcmp(job->kind, "forget") == 0 && !job->dry)
		worker->server->changes++; /* watchers see that it is gone */
	pthread_mutex_lock(&worker->lock);
	job_result_clear(&worker->result);
	worker->result = result;
	worker->last.err = err;
	worker->last.faulty = result.faulty;
	worker->last.state = rc ? WORKER_FAILED : WORKER_DONE;
	pthread_mutex_unlock(&worker->lock);
}

/* Waits for a job, the end, or the next look for old rows. */
static void wait_for_work(struct worker *worker, uint64_t until_ns)
{
	const struct timespec until = { (time_t)(until_ns / NS_PER_S),
					(long)(until_ns % NS_PER_S) };

	while (!worker->stopping && !worker->wanted)
		if (pthread_cond_timedwait(&worker->news, &worker->lock, &until) == ETIMEDOUT)
			break;
}

static void retain(struct worker *worker)
{
	const struct upkeep upkeep = { .stopped = is_stopping, .context = worker };
	struct store *store = worker->server->store;
	const struct settings *settings = worker->server->settings;
	bool more = false;

	if (clock_monotonic_ns() >= worker->ages_due_ns) {
		more = retention_by_age(store, settings, &upkeep);
		worker->ages_due_ns = clock_monotonic_ns() + (more ? RETENTION_NS : AGES_NS);
	}
	retention_by_size(store, settings, &upkeep);
	worker->size_due_ns = clock_monotonic_ns() + RETENTION_NS;
}

static void *run_worker(void *context)
{
	struct worker *worker = context;

	worker->size_due_ns = worker->ages_due_ns = clock_monotonic_ns() + RETENTION_NS;
	setpriority(PRIO_PROCESS, (id_t)gettid(), NICENESS);
	pthread_mutex_lock(&worker->lock);
	while (!worker->stopping) {
		bool wanted;
		struct job job;

		wait_for_work(worker, worker->size_due_ns);
		wanted = worker->wanted && !worker->stopping;
		job = worker->last.job;
		worker->wanted = false;
		pthread_mutex_unlock(&worker->lock);
		if (wanted) {
			run_job(worker, &job);
		} else if (clock_monotonic_ns() >= worker->size_due_ns) {
			retain(worker);
		}
		pthread_mutex_lock(&worker->lock);
	}
	pthread_mutex_unlock(&worker->lock);
	return NULL;
}

static void release(struct worker *worker)
{
	job_result_clear(&worker->result);
	pthread_cond_destroy(&worker->news);
	pthread_mutex_destroy(&worker->lock);
	free(worker);
}

int worker_start(struct worker **ret, struct server *server, struct error *err)
{
	struct worker *worker = calloc(1, sizeof(*worker));
	pthread_condattr_t attributes;
	int rc;

	if (!worker)
		return error_set(err, -ENOMEM, "out of memory");
	worker->server = server;
	job_result_init(&worker->result);
	pthread_mutex_init(&worker->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&worker->news, &attributes);
	pthread_condattr_destroy(&attributes);
	rc = pthread_create(&worker->thread, NULL, run_worker, worker);
	if (rc) {
		release(worker);
		return error_set(err, -rc, "cannot start a thread: %s", strerror(rc));
	}
	*ret = worker;
	return 0;
}

void worker_stop(struct worker *worker)
{
	if (!worker)
		return;
	pthread_mutex_lock(&worker->lock);
	worker->stopping = true;
	pthread_cond_signal(&worker->news);
	pthread_mutex_unlock(&worker->lock);
	pthread_join(worker->thread, NULL);
	release(worker);
}

int worker_begin(struct worker *worker, const struct job *job, uint64_t *ret_number,
		 struct error *err)
{
	int rc = 0;

	pthread_mutex_lock(&worker->lock);
	if (worker->last.number && worker->last.state == WORKER_RUNS) {
		rc = error_set(err, -EBUSY, "the lake is at another job (%s): wait for its end",
			       worker->last.job.kind);
	} else {
		worker->last =
			(struct worker_state){ .job = *job, .number = worker->last.number + 1 };
		*ret_number = worker->last.number;
		worker->wanted = true;
		pthread_cond_signal(&worker->news);
	}
	pthread_mutex_unlock(&worker->lock);
	return rc;
}

void worker_look(struct worker *worker, struct worker_state *ret)
{
	pthread_mutex_lock(&worker->lock);
	*ret = worker->last;
	if (ret->number && ret->state == WORKER_DONE) {
		ret->report = strdup(worker->result.report.data ? worker->result.report.data : "");
		ret->path = worker->result.path ? strdup(worker->result.path) : NULL;
	}
	pthread_mutex_unlock(&worker->lock);
}
