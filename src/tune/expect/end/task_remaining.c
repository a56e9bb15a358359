/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "tune/expect/remaining.h"
#include "tune/history/student.h"
#include "tune/expect/end/wall_outlook.h"

/*
 * Of a running task: history gives a distribution of its wall time, of which what is longer than it
 * runs remains. The part of its inputs that it has read gives another one: as if it read them
 * evenly until its end, which programs do only roughly. Where there are both, they are multiplied.
 */

/* A standard deviation of the logarithm of the wall time that reading suggests: half of programs
 * end within a factor of 1.6 of it. */
#define PROGRESS_SPREAD 0.7
/* Less than this read says nothing. */
#define PROGRESS_LEAST 0.02
/* Intervals are wider by these factors on logarithms, so that 80 % hold (bench/expect.sh); of one
 * run of history by one more. */
#define WIDER_BELOW  1.05
#define WIDER_ABOVE  1.00
#define WIDER_OF_ONE 0.20
#define CASES        (OUTLOOK_SHIFTS * OUTLOOK_RESTS)

/* A wall time that is possible (its logarithm) and how likely it is. */
struct possible {
	double wall, weight;
};

struct possibilities {
	struct possible items[CASES];
	size_t count;
	double weight;
};

static double part_read(const struct step_task *task)
{
	if (!(task->input_bytes > 0) || task->read_bytes < 0)
		return -1;
	return fmin(task->read_bytes / task->input_bytes, 1);
}

/* Of all read it is not known how long the rest takes. */
static bool read_says(double part)
{
	return part >= PROGRESS_LEAST && part < 1;
}

static void add(struct possibilities *all, double wall, double weight)
{
	all->items[all->count++] = (struct possible){ wall, weight };
	all->weight += weight;
}

static void by_history(const struct wall_outlook *outlook, const struct step_task *task,
		       double read, struct possibilities *all)
{
	struct task_view view = wall_outlook_view(outlook, task);

	for (size_t i = 0; i < OUTLOOK_SHIFTS; i++)
		for (size_t j = 0; j < OUTLOOK_RESTS; j++) {
			double wall = view.centre + outlook->shifts[i] + view.rests[j];
			double weight = outlook->weights[i];
			double off = (wall - (view.so_far - log(read))) / PROGRESS_SPREAD;
			if (wall <= view.so_far)
				continue;
			add(all, wall, read_says(read) ? weight * exp(-off * off / 2) : weight);
		}
}

/* How a wall time may differ from what reading suggests: logarithms, equally likely. */
static void find_progress_rests(double rests[OUTLOOK_RESTS])
{
	for (size_t i = 0; i < OUTLOOK_RESTS; i++) {
		double p = ((double)i + 0.5) / OUTLOOK_RESTS;
		rests[i] = PROGRESS_SPREAD * student_exceeded(1 - p, 1000);
	}
}

static void by_progress(const struct step_task *task, double floor_ns, double read,
			const double rests[OUTLOOK_RESTS], struct possibilities *all)
{
	double so_far = log(task->wall_ns + floor_ns);

	for (size_t i = 0; i < OUTLOOK_RESTS; i++) {
		double wall = so_far - log(read) + rests[i];
		if (wall > so_far)
			add(all, wall, 1);
	}
}

static int by_wall(const void *left, const void *right)
{
	const struct possible *a = left, *b = right;
	return (a->wall > b->wall) - (a->wall < b->wall);
}

static double remaining_at(const struct possibilities *all, const struct step_task *task,
			   double floor_ns, double p)
{
	double sum = 0, wall = 0;
	for (size_t i = 0; i < all->count; i++) {
		wall = all->items[i].wall;
		sum += all->items[i].weight;
		if (sum >= p * all->weight)
			break;
	}
	return fmax(exp(wall) - floor_ns - task->wall_ns, 0);
}

static void summarise(struct possibilities *all, const struct step_task *task, double floor_ns,
		      struct remaining *ret)
{
	double more = WIDER_OF_ONE / fmax((double)ret->history_runs, 1);

	qsort(all->items, all->count, sizeof(*all->items), by_wall);
	ret->known = true;
	ret->low_ns = remaining_at(all, task, floor_ns, 0.1);
	ret->median_ns = remaining_at(all, task, floor_ns, 0.5);
	ret->high_ns = remaining_at(all, task, floor_ns, 0.9);
	remaining_widen(ret, WIDER_BELOW + more, WIDER_ABOVE + more);
	ret->progress = task->wall_ns / fmax(task->wall_ns + ret->median_ns, 1);
}

static struct remaining remaining_by(const struct wall_outlook *outlook,
				     const double progress_rests[OUTLOOK_RESTS],
				     const struct step_task *task)
{
	struct remaining ret = { .progress = -1,
				 .history_runs = outlook->history_runs,
				 .history_tasks = outlook->history_tasks };
	double read = part_read(task), floor_ns = wall_outlook_view(outlook, task).floor_ns;
	struct possibilities all = { 0 };

	if (task->end != STEP_TASK_RUNS || !(task->wall_ns >= 0))
		return ret;
	if (outlook->known)
		by_history(outlook, task, read, &all);
	else if (read_says(read))
		by_progress(task, floor_ns, read, progress_rests, &all);
	if (all.weight > 0)
		summarise(&all, task, floor_ns, &ret);
	else
		ret.longer_than_any = outlook->known;
	return ret;
}

int remaining_of_tasks(const struct step_history *history, const char *run_id,
		       const struct run_pace *pace, struct remaining *ret)
{
	const struct step_history_run *run = step_history_run(history, run_id);
	struct run_pace unknown = run_pace_unknown();
	struct wall_outlook outlook;
	double rests[OUTLOOK_RESTS];
	int error = wall_outlook_find(history, run_id, pace ? pace : &unknown, &outlook);

	find_progress_rests(rests);
	for (size_t i = 0; error == 0 && run && i < run->count; i++)
		ret[i] = remaining_by(&outlook, rests, history->tasks[run->first + i]);
	return error;
}
