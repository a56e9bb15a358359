/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/replay/replay_schedule.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "tune/replay/event_queue.h"

#define SLICES_MAX 8
#define SLICES_ALL 200000 /* of all jobs together, if one of each does */
#define SCAN_MAX   32     /* jobs that wait and do not fit are passed over */
#define WHOLE      1e-6   /* sums of slots that are equal differ by less */

/* The phases of a job: two of its lag, then three a slice. */
enum { LAG_CPU, LAG_WAIT, FIRST_SLICE };
enum { SERIAL, PARALLEL, WAITING, SLICE_PHASES };

struct replay {
	const struct replay_plan *plan;
	const struct replay_host *host;
	struct replay_times *times;
	size_t slices;
	size_t *phases;  /* by job: the next */
	size_t *missing; /* needs that are not there */
	size_t *next;    /* of its needs */
	double *widths; /* threads that compute; behind those of the jobs, of what is beside them */
	/* Jobs that wait for slots, by number; waits, by their end; and computing, by the virtual
	 * time (CPU time that one thread could have got) of its end. */
	struct event_queue waiting, timed, computing;
	double now, virtual_now, width;
	double slots, memory_bytes;
	size_t running, ended;
	bool changed; /* a job became ready, or one ended, since those that wait were looked at */
};

static void compute(struct replay *replay, size_t number, double cpu_ns, double width)
{
	replay->widths[number] = width;
	replay->width += width;
	event_queue_put(&replay->computing, replay->virtual_now + cpu_ns / width, number);
}

static void release(struct replay *replay, size_t number)
{
	if (--replay->missing[number] > 0)
		return;
	event_queue_put(&replay->waiting, (double)number, number);
	replay->changed = true;
}

/* It has done so many slices. */
static void release_needs(struct replay *replay, size_t number, size_t done)
{
	const struct replay_plan *plan = replay->plan;
	size_t *next = &replay->next[number];

	for (; *next < plan->need_count && plan->needs[*next].from == number &&
	       plan->needs[*next].part * (double)replay->slices <= (double)done + WHOLE;
	     (*next)++)
		release(replay, plan->needs[*next].to);
}

static void end(struct replay *replay, size_t number)
{
	const struct replay_job *job = &replay->plan->jobs[number];

	replay->times->ends[number] = replay->now;
	replay->times->wall_ns = fmax(replay->times->wall_ns, replay->now);
	replay->slots -= job->slots;
	replay->memory_bytes -= job->memory_bytes;
	replay->running -= job->slots > 0;
	replay->ended++;
	replay->changed = true;
}

/* Begins a phase that takes time; false: it takes none. */
static bool spend(struct replay *replay, size_t number, size_t phase)
{
	const struct replay_job *job = &replay->plan->jobs[number];
	double slices = (double)replay->slices, ns;
	bool waits = phase == LAG_WAIT;

	if (phase < FIRST_SLICE) {
		ns = waits ? job->lag_wait_ns : job->lag_cpu_ns;
		phase = SERIAL;
	} else {
		const double all[] = { job->serial_ns, job->parallel_ns, job->wait_ns };

		phase = (phase - FIRST_SLICE) % SLICE_PHASES;
		ns = all[phase] / slices;
		waits = phase == WAITING;
	}
	if (!(ns > 0))
		return false;
	if (waits)
		event_queue_put(&replay->timed, replay->now + ns, number);
	else
		compute(replay, number, ns, phase == PARALLEL ? job->width : 1);
	return true;
}

/* To its next phase that takes time. */
static void go_on(struct replay *replay, size_t number)
{
	size_t last = FIRST_SLICE + SLICE_PHASES * replay->slices, phase;

	do {
		phase = replay->phases[number]++;
		if (phase == FIRST_SLICE) {
			replay->times->begins[number] = replay->now;
			if (replay->plan->jobs[number].beside_ns > 0)
				compute(replay, number + replay->plan->job_count,
					replay->plan->jobs[number].beside_ns, 1);
		}
		if (phase >= FIRST_SLICE && (phase - FIRST_SLICE) % SLICE_PHASES == 0)
			release_needs(replay, number, (phase - FIRST_SLICE) / SLICE_PHASES);
		if (phase == last)
			end(replay, number);
	} while (phase < last && !spend(replay, number, phase));
}

/* Whether its engine has room; alone, any job has. */
static bool has_slots(const struct replay *replay, const struct replay_job *job)
{
	const struct replay_host *host = replay->host;

	return !(job->slots > 0) || replay->running == 0 ||
	       ((double)replay->running + 1 <= host->tasks &&
		replay->slots + job->slots <= host->slots + WHOLE);
}

static bool has_memory(const struct replay *replay, const struct replay_job *job)
{
	return replay->running == 0 ||
	       replay->memory_bytes + job->memory_bytes <= replay->host->memory_bytes;
}

static void begin(struct replay *replay, size_t number)
{
	const struct replay_job *job = &replay->plan->jobs[number];

	replay->slots += job->slots;
	replay->running += job->slots > 0;
	replay->memory_bytes += job->memory_bytes;
	replay->times->memory_peak_bytes =
		fmax(replay->times->memory_peak_bytes, replay->memory_bytes);
	go_on(replay, number);
}

/* In their order, in which the engine once began them: one for which slots are missing holds up
 * those behind it. One for which memory is missing does not. */
static void begin_waiting(struct replay *replay)
{
	size_t passed[SCAN_MAX], count = 0;

	if (!replay->changed)
		return;
	replay->changed = false;
	while (replay->waiting.count && count < SCAN_MAX) {
		size_t number = replay->waiting.events[0].number;
		const struct replay_job *job = &replay->plan->jobs[number];

		if (!has_slots(replay, job))
			break;
		event_queue_take(&replay->waiting);
		if (has_memory(replay, job))
			begin(replay, number);
		else
			passed[count++] = number;
	}
	while (count > 0) {
		size_t number = passed[--count];

		event_queue_put(&replay->waiting, (double)number, number);
	}
}

/* What computes until it has got its CPU time, or the next wait ends. */
static void step(struct replay *replay)
{
	double speed = fmin(1, replay->host->cores / fmax(replay->width, WHOLE));
	double computed = INFINITY, waited = INFINITY;

	if (replay->computing.count)
		computed = replay->now +
			   fmax(replay->computing.events[0].key - replay->virtual_now, 0) / speed;
	if (replay->timed.count)
		waited = replay->timed.events[0].key;
	if (waited < computed) {
		struct event event = event_queue_take(&replay->timed);

		replay->virtual_now += speed * (waited - replay->now);
		replay->now = waited;
		go_on(replay, event.number);
	} else {
		struct event event = event_queue_take(&replay->computing);

		replay->virtual_now = fmax(replay->virtual_now, event.key);
		replay->now = computed;
		replay->width -= replay->widths[event.number];
		if (!replay->computing.count)
			replay->width = 0; /* without what rounding left */
		if (event.number < replay->plan->job_count)
			go_on(replay, event.number);
	}
}

static int run(struct replay *replay)
{
	const struct replay_plan *plan = replay->plan;
	size_t at = 0;

	for (size_t i = 0; i < plan->need_count; i++)
		replay->missing[plan->needs[i].to]++;
	for (size_t i = 0; i < plan->job_count; i++) {
		while (at < plan->need_count && plan->needs[at].from < i)
			at++;
		replay->next[i] = at;
		if (!replay->missing[i])
			event_queue_put(&replay->waiting, (double)i, i);
	}
	replay->changed = true;
	begin_waiting(replay);
	while (replay->computing.count || replay->timed.count) {
		step(replay);
		begin_waiting(replay);
	}
	return replay->ended == plan->job_count ? 0 : -ELOOP;
}

static size_t slices_of(size_t jobs)
{
	size_t slices = jobs ? SLICES_ALL / jobs : 1;

	return slices < 1 ? 1 : slices > SLICES_MAX ? SLICES_MAX : slices;
}

static int make(struct replay *replay)
{
	size_t jobs = replay->plan->job_count + 1;
	struct event_queue *queues[] = { &replay->waiting, &replay->timed, &replay->computing };
	int rc = 0;

	for (size_t i = 0; i < sizeof(queues) / sizeof(queues[0]); i++)
		rc = event_queue_make(queues[i], 2 * jobs) ? -ENOMEM : rc;
	replay->phases = calloc(jobs, sizeof(*replay->phases));
	replay->missing = calloc(jobs, sizeof(*replay->missing));
	replay->next = calloc(jobs, sizeof(*replay->next));
	replay->widths = calloc(2 * jobs, sizeof(*replay->widths));
	replay->times->begins = calloc(jobs, sizeof(double));
	replay->times->ends = calloc(jobs, sizeof(double));
	return replay->phases && replay->missing && replay->next && replay->widths &&
			       replay->times->begins && replay->times->ends
		       ? rc
		       : -ENOMEM;
}

static void clear(struct replay *replay)
{
	event_queue_clear(&replay->waiting);
	event_queue_clear(&replay->timed);
	event_queue_clear(&replay->computing);
	free(replay->phases);
	free(replay->missing);
	free(replay->next);
	free(replay->widths);
}

int replay_schedule(const struct replay_plan *plan, const struct replay_host *host,
		    struct replay_times *ret)
{
	struct replay_times times = { 0 };
	struct replay replay = {
		.plan = plan, .host = host, .times = &times, .slices = slices_of(plan->job_count)
	};
	int rc = make(&replay);

	if (rc == 0)
		rc = run(&replay);
	clear(&replay);
	if (rc)
		replay_times_clear(&times);
	else
		*ret = times;
	return rc;
}

void replay_times_clear(struct replay_times *times)
{
	free(times->begins);
	free(times->ends);
	*times = (struct replay_times){ 0 };
}
