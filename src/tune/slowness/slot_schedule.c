/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/slowness/slot_schedule.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "tune/replay/event_queue.h"

struct schedule {
	const struct slot_job *jobs;
	const struct slot_need *needs;
	size_t job_count, need_count;
	double *ready;   /* when its inputs so far are there */
	size_t *missing; /* inputs that are not */
	size_t *first;   /* of its needs */
	struct event_queue coming, waiting,
		running; /* by when it is ready, by number, by its end */
	double slots, taken, last_end;
};

static void begin(struct schedule *schedule, size_t number, double now)
{
	const struct slot_job *job = &schedule->jobs[number];
	double end = now + job->duration;

	schedule->taken += job->weight;
	event_queue_put(&schedule->running, end, number);
	if (end > schedule->last_end)
		schedule->last_end = end;
	for (size_t i = schedule->first[number]; i < schedule->first[number + 1]; i++) {
		const struct slot_need *need = &schedule->needs[i];
		const struct slot_job *next = &schedule->jobs[need->to];
		double *ready = &schedule->ready[need->to];

		*ready = fmax(*ready, now + need->after + next->lag);
		if (--schedule->missing[need->to] == 0)
			event_queue_put(&schedule->coming, *ready, need->to);
	}
}

static void run(struct schedule *schedule)
{
	double now = 0;

	while (schedule->coming.count || schedule->waiting.count || schedule->running.count) {
		while (schedule->running.count && schedule->running.events[0].key <= now)
			schedule->taken -=
				schedule->jobs[event_queue_take(&schedule->running).number].weight;
		while (schedule->coming.count && schedule->coming.events[0].key <= now) {
			size_t job = event_queue_take(&schedule->coming).number;

			event_queue_put(&schedule->waiting, (double)job, job);
		}
		while (schedule->waiting.count &&
		       (schedule->running.count == 0 ||
			schedule->taken +
					schedule->jobs[schedule->waiting.events[0].number].weight <=
				schedule->slots + 1e-6))
			begin(schedule, event_queue_take(&schedule->waiting).number, now);
		now = INFINITY;
		if (schedule->running.count)
			now = schedule->running.events[0].key;
		if (schedule->coming.count)
			now = fmin(now, schedule->coming.events[0].key);
	}
}

static void prepare(struct schedule *schedule)
{
	size_t at = 0;

	for (size_t i = 0; i < schedule->need_count; i++)
		schedule->missing[schedule->needs[i].to]++;
	for (size_t i = 0; i < schedule->job_count; i++) {
		while (at < schedule->need_count && schedule->needs[at].from < i)
			at++;
		schedule->first[i] = at;
		schedule->ready[i] = schedule->jobs[i].ready;
		if (schedule->missing[i] == 0)
			event_queue_put(&schedule->coming, schedule->ready[i], i);
	}
	schedule->first[schedule->job_count] = schedule->need_count;
}

int slot_schedule(const struct slot_job *jobs, size_t job_count, const struct slot_need *needs,
		  size_t need_count, double slots, double *ret)
{
	struct schedule schedule = { .jobs = jobs,
				     .needs = needs,
				     .job_count = job_count,
				     .need_count = need_count,
				     .slots = slots };
	struct event_queue *queues[] = { &schedule.coming, &schedule.waiting, &schedule.running };
	int rc = 0;

	schedule.ready = calloc(job_count + 1, sizeof(*schedule.ready));
	schedule.missing = calloc(job_count + 1, sizeof(*schedule.missing));
	schedule.first = calloc(job_count + 1, sizeof(*schedule.first));
	for (size_t i = 0; i < 3; i++) {
		rc = event_queue_make(queues[i], job_count) ? -ENOMEM : rc;
	}
	if (!schedule.ready || !schedule.missing || !schedule.first)
		rc = -ENOMEM;
	if (rc == 0) {
		prepare(&schedule);
		run(&schedule);
		*ret = schedule.last_end;
	}
	for (size_t i = 0; i < 3; i++)
		event_queue_clear(queues[i]);
	free(schedule.ready);
	free(schedule.missing);
	free(schedule.first);
	return rc;
}
