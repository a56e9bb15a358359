/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/expect/end/run_simulation.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "tune/expect/end/time_heap.h"

/* As often as so many tasks allow; at least and at most. */
#define EFFORT      2000000
#define TIMES_LEAST 20
#define TIMES_MOST  200
#define LAG_FACTOR  3.0

/* A step while the run is played. */
struct step_state {
	double shift, profile, lag_ns;
	size_t ended, begun, next; /* next: the index of the first task that is not queued yet */
	double work_ns;
};

struct play {
	const struct run_plan *plan;
	struct step_state *steps;
	struct time_heap ends, ready;
	size_t running;
	double now;
	uint64_t random;
};

/* Vigna's splitmix64 (public domain), as a number of [0, 1). */
static double next_chance(struct play *play)
{
	uint64_t z = play->random += 0x9e3779b97f4a7c15;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* When the next task of a step that waits for none begins: spread over time as in earlier runs. */
static double begin_of(const struct play *play, size_t at)
{
	const struct plan_step *step = &play->plan->steps[at];
	double part =
		step->tasks > 1 ? (double)play->steps[at].next / (double)(step->tasks - 1) : 0;
	return step->before_count == 0 ? fmax(step->begin_ns + part * step->span_ns, 0) : 0;
}

/* When the next task of a step may begin. False: not yet known. */
static bool ready_at(const struct play *play, size_t at, double *ret)
{
	const struct plan_step *step = &play->plan->steps[at];
	double time = begin_of(play, at);

	for (size_t i = 0; i < step->before_count; i++) {
		const struct plan_step *before = &play->plan->steps[step->before[i]];
		size_t needed;
		double wait = step->before[i] == step->closest ? play->steps[at].lag_ns : 0;
		if (before->tasks == 0)
			continue;
		needed = step_flow_needed(play->steps[at].next, step->tasks, before->tasks);
		if (play->steps[step->before[i]].ended < needed)
			return false;
		time = fmax(time, before->ends[needed - 1] + wait);
	}
	*ret = time;
	return true;
}

static void queue_ready(struct play *play, size_t at)
{
	double time;
	while (play->steps[at].next < play->plan->steps[at].tasks && ready_at(play, at, &time)) {
		time_heap_push(&play->ready, time, at);
		play->steps[at].next++;
	}
}

static void begin_task(struct play *play, size_t at)
{
	const struct plan_step *step = &play->plan->steps[at];
	struct step_state *state = &play->steps[at];
	double place = ((double)state->begun++ + 0.5) / (double)step->tasks;
	double wall = wall_outlook_draw_next(&step->outlook, place, state->profile, state->shift,
					     next_chance(play));

	time_heap_push(&play->ends, play->now + wall, at);
	state->work_ns += wall;
	play->running++;
}

static void end_task(struct play *play, size_t at)
{
	const struct plan_step *step = &play->plan->steps[at];

	step->ends[play->steps[at].ended++] = play->now;
	play->running--;
	for (size_t i = 0; i < step->after_count; i++)
		queue_ready(play, step->after[i]);
}

/* How long a step waits until it begins differs from run to run: by a factor, evenly on logarithms.
 */
static double draw_lag(struct play *play, double lag_ns)
{
	return lag_ns * exp(log(LAG_FACTOR) * (2 * next_chance(play) - 1));
}

static void begin_step(struct play *play, size_t at)
{
	const struct plan_step *step = &play->plan->steps[at];
	struct step_state *state = &play->steps[at];

	state->shift = wall_outlook_shift(&step->outlook, next_chance(play));
	state->profile = next_chance(play);
	state->lag_ns = draw_lag(play, step->lag_ns);
	state->ended = step->ended;
	state->begun = state->next = step->ended + step->running_count;
	for (size_t i = 0; i < step->running_count; i++) {
		double wall = wall_outlook_draw(&step->outlook, step->running[i], state->shift,
						next_chance(play));
		double rest = fmax(wall - step->running[i]->wall_ns, 0);
		time_heap_push(&play->ends, rest, at);
		state->work_ns += rest;
		play->running++;
	}
}

static void begin_run(struct play *play)
{
	play->now = 0;
	play->running = 0;
	for (size_t i = 0; i < play->plan->step_count; i++)
		begin_step(play, i);
	for (size_t i = 0; i < play->plan->step_count; i++)
		queue_ready(play, i);
}

static bool may_begin(const struct play *play)
{
	bool has_slot = play->plan->slots == 0 || play->running < play->plan->slots ||
			play->ends.count == 0;
	return play->ready.count > 0 && has_slot &&
	       (play->ends.count == 0 ||
		play->ready.entries[0].at_ns <= play->ends.entries[0].at_ns);
}

/* What waits for something that does not come begins now. False: nothing does. */
static bool force(struct play *play)
{
	for (size_t i = 0; i < play->plan->step_count; i++)
		if (play->steps[i].next < play->plan->steps[i].tasks) {
			play->steps[i].next++;
			time_heap_push(&play->ready, play->now, i);
			return true;
		}
	return false;
}

static void play_once(struct play *play)
{
	begin_run(play);
	do
		while (play->ends.count > 0 || play->ready.count > 0) {
			struct time_entry next;
			bool begins = may_begin(play);
			next = time_heap_pop(begins ? &play->ready : &play->ends);
			play->now = fmax(play->now, next.at_ns);
			if (begins)
				begin_task(play, next.step);
			else
				end_task(play, next.step);
		}
	while (force(play));
}

static int simulation_new(const struct run_plan *plan, struct run_simulation *simulation)
{
	size_t times = EFFORT / (plan->task_count + 1);

	times = times > TIMES_MOST ? TIMES_MOST : times < TIMES_LEAST ? TIMES_LEAST : times;
	simulation->count = times;
	simulation->run_ends = calloc(times, sizeof(double));
	simulation->step_ends = calloc(times * plan->step_count + 1, sizeof(double));
	simulation->work_ns = calloc(plan->step_count + 1, sizeof(double));
	return simulation->run_ends && simulation->step_ends && simulation->work_ns ? 0 : -ENOMEM;
}

static int play_new(const struct run_plan *plan, struct play *play)
{
	size_t room = plan->task_count + 1;

	play->steps = calloc(plan->step_count + 1, sizeof(*play->steps));
	play->ends.entries = malloc(room * sizeof(*play->ends.entries));
	play->ready.entries = malloc(room * sizeof(*play->ready.entries));
	return play->steps && play->ends.entries && play->ready.entries ? 0 : -ENOMEM;
}

static void play_clear(struct play *play)
{
	free(play->steps);
	free(play->ends.entries);
	free(play->ready.entries);
}

/* Where a step's last task ended; one that had nothing to do ends now. */
static void note(const struct play *play, size_t time, struct run_simulation *simulation)
{
	for (size_t i = 0; i < play->plan->step_count; i++) {
		size_t ended = play->steps[i].ended;
		double end = ended > 0 ? fmax(play->plan->steps[i].ends[ended - 1], 0) : 0;
		simulation->step_ends[i * simulation->count + time] = end;
	}
	simulation->run_ends[time] = play->now;
}

int run_simulate(const struct run_plan *plan, struct run_simulation *ret)
{
	struct run_simulation simulation = { 0 };
	struct play play = { .plan = plan };
	int error = simulation_new(plan, &simulation);

	if (error == 0)
		error = play_new(plan, &play);
	for (size_t i = 0; error == 0 && i < simulation.count; i++) {
		play_once(&play);
		note(&play, i, &simulation);
	}
	for (size_t i = 0; error == 0 && i < plan->step_count; i++)
		simulation.work_ns[i] = play.steps[i].work_ns / (double)simulation.count;
	play_clear(&play);
	if (error)
		run_simulation_clear(&simulation);
	else
		*ret = simulation;
	return error;
}

void run_simulation_clear(struct run_simulation *simulation)
{
	free(simulation->run_ends);
	free(simulation->step_ends);
	free(simulation->work_ns);
	*simulation = (struct run_simulation){ 0 };
}
