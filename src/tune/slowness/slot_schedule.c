/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/slowness/slot_schedule.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The lowest key first. */
struct queue {
	struct entry {
		double key;
		size_t job;
	} * entries;
	size_t count;
};

struct schedule {
	const struct slot_job *jobs;
	const struct slot_need *needs;
	size_t job_count, need_count;
	double *ready;                         /* when its inputs so far are there */
	size_t *missing;                       /* inputs that are not */
	size_t *first;                         /* of its needs */
	struct queue coming, waiting, running; /* by when it is ready, by number, by its end */
	double slots, taken, last_end;
};

static bool is_less(const struct entry *one, const struct entry *other)
{
	return one->key < other->key || (one->key == other->key && one->job < other->job);
}

static void swap(struct queue *queue, size_t one, size_t other)
{
	struct entry entry = queue->entries[one];

	queue->entries[one] = queue->entries[other];
	queue->entries[other] = entry;
}

static void put(struct queue *queue, double key, size_t job)
{
	size_t at = queue->count++;

	queue->entries[at] = (struct entry){ key, job };
	for (; at > 0 && is_less(&queue->entries[at], &queue->entries[(at - 1) / 2]);
	     at = (at - 1) / 2)
		swap(queue, at, (at - 1) / 2);
}

static struct entry take(struct queue *queue)
{
	struct entry first = queue->entries[0];
	size_t at = 0, least = 0;

	queue->entries[0] = queue->entries[--queue->count];
	do {
		swap(queue, at, least);
		at = least;
		for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < queue->count;
		     child++)
			if (is_less(&queue->entries[child], &queue->entries[least]))
				least = child;
	} while (least != at);
	return first;
}

static void begin(struct schedule *schedule, size_t number, double now)
{
	const struct slot_job *job = &schedule->jobs[number];
	double end = now + job->duration;

	schedule->taken += job->weight;
	put(&schedule->running, end, number);
	if (end > schedule->last_end)
		schedule->last_end = end;
	for (size_t i = schedule->first[number]; i < schedule->first[number + 1]; i++) {
		const struct slot_need *need = &schedule->needs[i];
		const struct slot_job *next = &schedule->jobs[need->to];
		double *ready = &schedule->ready[need->to];

		*ready = fmax(*ready, now + need->after + next->lag);
		if (--schedule->missing[need->to] == 0)
			put(&schedule->coming, *ready, need->to);
	}
}

static void run(struct schedule *schedule)
{
	double now = 0;

	while (schedule->coming.count || schedule->waiting.count || schedule->running.count) {
		while (schedule->running.count && schedule->running.entries[0].key <= now)
			schedule->taken -= schedule->jobs[take(&schedule->running).job].weight;
		while (schedule->coming.count && schedule->coming.entries[0].key <= now) {
			size_t job = take(&schedule->coming).job;

			put(&schedule->waiting, (double)job, job);
		}
		while (schedule->waiting.count &&
		       (schedule->running.count == 0 ||
			schedule->taken + schedule->jobs[schedule->waiting.entries[0].job].weight <=
				schedule->slots + 1e-6))
			begin(schedule, take(&schedule->waiting).job, now);
		now = INFINITY;
		if (schedule->running.count)
			now = schedule->running.entries[0].key;
		if (schedule->coming.count)
			now = fmin(now, schedule->coming.entries[0].key);
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
			put(&schedule->coming, schedule->ready[i], i);
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
	struct queue *queues[] = { &schedule.coming, &schedule.waiting, &schedule.running };
	int rc = 0;

	schedule.ready = calloc(job_count + 1, sizeof(*schedule.ready));
	schedule.missing = calloc(job_count + 1, sizeof(*schedule.missing));
	schedule.first = calloc(job_count + 1, sizeof(*schedule.first));
	for (size_t i = 0; i < 3; i++) {
		queues[i]->entries = calloc(job_count + 1, sizeof(struct entry));
		rc = queues[i]->entries ? rc : -ENOMEM;
	}
	if (!schedule.ready || !schedule.missing || !schedule.first)
		rc = -ENOMEM;
	if (rc == 0) {
		prepare(&schedule);
		run(&schedule);
		*ret = schedule.last_end;
	}
	for (size_t i = 0; i < 3; i++)
		free(queues[i]->entries);
	free(schedule.ready);
	free(schedule.missing);
	free(schedule.first);
	return rc;
}
