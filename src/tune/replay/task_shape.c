/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/replay/task_shape.h"

#include <math.h>
#include <stdbool.h>

#define STARVED \
	0.05 /* of its time no thread of it ran although one was ready: others took the cores */
#define CROWDED                                                                                  \
	0.05 /* of the time of its ready threads they waited: below, what ran alone was measured \
	      */
#define PHASE     0.02 /* of the computing: a shorter phase is none */
#define THREADS   1024 /* more are taken as so many */
#define BISECTION 60   /* steps: more than a double has bits */

/* While threads of it ran or were ready. */
struct readiness {
	double wall_ns; /* at least one was */
	double cpu_ns;
	double ready; /* of them, on average; ≥ 1 */
};

static double wait_ns(const struct wall *wall)
{
	double sum = 0;

	for (int part = 0; part < WALL_PARTS; part++)
		if (part != WALL_COMPUTING && part != WALL_RUNNABLE && part != WALL_UNKNOWN)
			sum += wall->ns[part];
	return sum;
}

/* CPU time that n threads get in a unit of time beside so many others, if all are treated alike. */
static double rate(double n, double others, double cores)
{
	return n * fmin(1, cores / (n + others));
}

/* How many threads of others there were: so that phases of one thread, and of width threads for
 * that part of the time, together got the CPU time that was measured. */
static double find_others(const struct readiness *seen, double part, double width, double cores)
{
	double low = 0, high = 1e6;

	for (int i = 0; i < BISECTION; i++) {
		double middle = (low + high) / 2;
		double got = seen->wall_ns * ((1 - part) * rate(1, middle, cores) +
					      part * rate(width, middle, cores));

		if (got > seen->cpu_ns)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The CPU time on the path through the task's programs (struct wall), which more cores do not
 * shorten. A writer with a full pipe waits for a reader that computes, or for one that is ready
 * and has no CPU, which it would have on more cores. Which of both is not known: half of the time
 * counts as computing. The path has the CPU time of the longest program at least. */
static double path_of(const struct replay_task *task)
{
	double starved_ns = fmin(task->pipe_write_ns, task->runnable_ns);

	return fmax(task->wall.ns[WALL_COMPUTING] - starved_ns / 2, task->longest_ns);
}

/* CPU time beside the path can be used at the same time on another core. */
static void limit_to_path(double path_ns, struct task_shape *shape)
{
	double cpu_ns = shape->serial_ns + shape->parallel_ns;

	if (shape->width <= 1 || shape->serial_ns + shape->parallel_ns / shape->width <= path_ns)
		return;
	shape->parallel_ns = (cpu_ns - path_ns) * shape->width / (shape->width - 1);
	shape->parallel_ns = fmin(shape->parallel_ns, cpu_ns);
	shape->serial_ns = cpu_ns - shape->parallel_ns;
}

/* Of what waited for CPUs. Many programs have threads that are idle: so many as it asked for CPUs
 * are believed to compute at once, where it had so many. */
static void split_starved(const struct readiness *seen, const struct replay_task *task,
			  double cores, struct task_shape *shape)
{
	double asked = fmin(task->threads, task->slots);
	double width = fmin(fmax(asked, ceil(seen->ready - PHASE)), THREADS);
	double part = width > 1 ? fmin((seen->ready - 1) / (width - 1), 1) : 0;
	double others = find_others(seen, part, width, cores);
	double alone = (1 - part) * rate(1, others, cores);
	double together = part * rate(width, others, cores);

	shape->width = fmax(width, 1);
	shape->serial_ns = seen->cpu_ns * alone / (alone + together);
	shape->parallel_ns = seen->cpu_ns - shape->serial_ns;
	limit_to_path(path_of(task), shape);
}

/* Of what had all CPUs that it could use. The programs of a pipe run at once though each of them
 * has one thread: then nothing is known to run alone. */
static void split_free(const struct readiness *seen, double serial_ns, double threads,
		       struct task_shape *shape)
{
	double together = seen->wall_ns - serial_ns;
	double width = together > 0 ? (seen->cpu_ns - serial_ns) / together : INFINITY;

	if (together < PHASE * seen->wall_ns && seen->cpu_ns <= (1 + PHASE) * seen->wall_ns) {
		shape->serial_ns = seen->cpu_ns;
	} else if (width >= 1 && width <= fmax(threads, 1)) {
		shape->serial_ns = serial_ns;
		shape->parallel_ns = seen->cpu_ns - serial_ns;
		shape->width = width;
	} else {
		shape->parallel_ns = seen->cpu_ns;
		shape->width = fmax(seen->cpu_ns / seen->wall_ns, 1);
	}
}

/* Of what waited for its own threads alone: in the part of its time in which it had all cores, it
 * had more threads than these. */
static void split_crowded(const struct readiness *seen, double cores, struct task_shape *shape)
{
	double part = fmin((seen->cpu_ns / seen->wall_ns - 1) / (cores - 1), 1);

	shape->width = fmin(1 + (seen->ready - 1) / part, THREADS);
	shape->serial_ns = (1 - part) * seen->wall_ns;
	shape->parallel_ns = seen->cpu_ns - shape->serial_ns;
}

static void split(const struct readiness *seen, const struct replay_task *task, double cores,
		  struct task_shape *shape)
{
	double starved_ns = task->wall.ns[WALL_RUNNABLE];
	bool starved = starved_ns >= STARVED * seen->wall_ns;
	bool crowded = task->runnable_ns >= CROWDED * (seen->cpu_ns + task->runnable_ns);

	if (!starved && !crowded)
		split_free(seen, fmin(task->wall.serial_ns, seen->wall_ns), task->threads, shape);
	else if (!starved && cores > 1 && seen->cpu_ns > (1 + PHASE) * seen->wall_ns)
		split_crowded(seen, cores, shape);
	else
		split_starved(seen, task, cores, shape);
}

struct task_shape task_shape_find(const struct replay_task *task, double cores)
{
	const double *ns = task->wall.ns;
	struct task_shape shape = { .width = 1,
				    .wait_ns = wait_ns(&task->wall),
				    .unknown_ns = ns[WALL_UNKNOWN],
				    .starved_ns = ns[WALL_RUNNABLE] };
	struct readiness seen = { .wall_ns = ns[WALL_COMPUTING] + ns[WALL_RUNNABLE],
				  .cpu_ns = fmax(task->cpu_ns, ns[WALL_COMPUTING]) };

	if (shape.wait_ns + shape.unknown_ns + seen.wall_ns <= 0)
		shape.unknown_ns = (double)(task->ended_at - task->started_at);
	if (!(seen.wall_ns > 0))
		return shape;
	seen.ready = fmax((seen.cpu_ns + task->runnable_ns) / seen.wall_ns, 1);
	split(&seen, task, cores, &shape);
	return shape;
}

double task_shape_alone_ns(const struct task_shape *shape, double cores)
{
	return shape->serial_ns / fmin(1, cores) + shape->parallel_ns / fmin(shape->width, cores) +
	       shape->wait_ns + shape->unknown_ns;
}
