/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/replay/whatif.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tune/replay/wake_cost.h"
#include "tune/replay/whatif_base.h"
#include "tune/replay/whatif_gains.h"
#include "tune/replay/whatif_refuse.h"
#include "tune/replay/whatif_spread.h"

#define NEAR_ONE 0.01
#define OFF_PART 0.25 /* of what the replay as it was is off: the rest is what others took then */
#define PER_DOUBLING \
	0.025 /* the spread of what is not known of how tasks scale (bench/whatif.sh) */

struct asking {
	const struct whatif_base *base;
	const struct replay_run *run;
	const struct whatif_ask *ask;
	struct whatif *whatif;
	struct replay_graph graph; /* the base's, with jobs of its own */
	struct replay_host host;   /* that was asked for */
	double correction;
};

__attribute__((format(printf, 2, 3))) static void note(struct whatif *whatif, const char *format,
						       ...)
{
	va_list args;

	if (whatif->note_count == WHATIF_NOTES_MAX)
		return;
	va_start(args, format);
	(void)vsnprintf(whatif->notes[whatif->note_count++], WHATIF_WORDS, format, args);
	va_end(args);
}

double whatif_off(const struct whatif *whatif)
{
	return whatif->replayed_ns > 0 ? fabs(log(whatif->replayed_ns / whatif->measured_ns))
				       : INFINITY;
}

/* A step's tasks take this part of what they took. */
static void shorten(struct asking *asking)
{
	const struct whatif_ask *ask = asking->ask;

	for (size_t i = 1; i + 1 < asking->graph.plan.job_count; i++)
		for (size_t step = 0; step < ask->step_count; step++)
			if (strcmp(asking->run->tasks[asking->graph.tasks[i]].step,
				   ask->steps[step].step) == 0)
				whatif_job_shorten(&asking->graph.jobs[i], ask->steps[step].factor);
}

/* A disk or a network that is slower. */
static void add_waits(struct asking *asking)
{
	for (size_t i = 1; asking->ask->waits_ns && i + 1 < asking->graph.plan.job_count; i++)
		asking->graph.jobs[i].wait_ns += asking->ask->waits_ns[asking->graph.tasks[i]];
}

static bool asks_for_other_cores(const struct asking *asking)
{
	double asked = asking->ask->cores;

	return asked > 0 && fabs(asked - asking->whatif->measured_cores) > NEAR_ONE * asked;
}

/* Threads of a run with a quota are on all CPUs of its host. */
static void change_wakes(struct asking *asking)
{
	const struct whatif *whatif = asking->whatif;
	double had = whatif->cores_inferred ? whatif->measured_cores : asking->run->host_cpus;
	const struct wake_cost cost = { .had_several = had > 1,
					.has_several = asking->ask->cores > 1 };

	for (size_t i = 1; i + 1 < asking->graph.plan.job_count; i++) {
		const struct replay_task *task = &asking->run->tasks[asking->graph.tasks[i]];
		double factor = wake_cost_factor(&cost, task);

		asking->graph.jobs[i].serial_ns *= factor;
		asking->graph.jobs[i].parallel_ns *= factor;
	}
}

static void set_host(struct asking *asking)
{
	const struct whatif_ask *ask = asking->ask;
	struct whatif *whatif = asking->whatif;
	double slots;

	whatif->cores = ask->cores > 0 ? ask->cores : whatif->measured_cores;
	slots = ask->no_queue    ? INFINITY
		: ask->slots > 0 ? ask->slots
				 : engine_slots_on(&asking->base->slots, whatif->cores);
	whatif->slots = slots;
	asking->host = (struct replay_host){
		.cores = whatif->cores,
		.slots = slots,
		.tasks = ask->no_queue ? INFINITY : asking->base->slots.tasks,
		.memory_bytes = ask->memory_bytes > 0 ? ask->memory_bytes : INFINITY,
	};
}

static int take_spans(struct asking *asking, const struct replay_times *times)
{
	struct whatif *whatif = asking->whatif;

	whatif->spans = calloc(asking->run->task_count + 1, sizeof(*whatif->spans));
	if (!whatif->spans)
		return -ENOMEM;
	for (size_t i = 1; i + 1 < asking->graph.plan.job_count; i++)
		whatif->spans[asking->graph.tasks[i]] =
			(struct whatif_span){ times->begins[i] * asking->correction,
					      times->ends[i] * asking->correction };
	return 0;
}

/* What is not known of the tasks' time as if it were computing: by how much that changes the
 * answer.
 */
static int find_unknown(struct asking *asking)
{
	struct whatif *whatif = asking->whatif;
	size_t count = asking->graph.plan.job_count;
	CLEANUP(freep) struct replay_job *jobs = calloc(count, sizeof(*jobs));
	CLEANUP(replay_times_clear) struct replay_times times = { 0 };
	struct replay_plan plan = asking->graph.plan;
	double unknown = 0;
	int rc = jobs ? 0 : -ENOMEM;

	for (size_t i = 0; rc == 0 && i < count; i++) {
		const struct task_shape *shape = &asking->graph.shapes[i];
		double moved = fmin(shape->unknown_ns, asking->graph.jobs[i].wait_ns);

		jobs[i] = asking->graph.jobs[i];
		jobs[i].wait_ns -= moved;
		jobs[i].serial_ns += moved;
		unknown += moved;
	}
	plan.jobs = jobs;
	if (rc == 0 && unknown > 0)
		rc = replay_schedule(&plan, &asking->host, &times);
	if (rc == 0 && unknown > 0)
		whatif->spread.unknown =
			fabs(log(times.wall_ns * asking->correction / whatif->wall_ns));
	return rc;
}

/* What the replay of the run as it was is off is mostly what others took of its cores meanwhile. On
 * the same cores it is believed to be the same otherwise, on others not. */
static double correction_of(const struct asking *asking)
{
	return asks_for_other_cores(asking)
		       ? 1
		       : asking->whatif->measured_ns / asking->whatif->replayed_ns;
}

static int replay_asked(struct asking *asking)
{
	struct whatif *whatif = asking->whatif;
	CLEANUP(replay_times_clear) struct replay_times times = { 0 };
	int rc;

	asking->correction = correction_of(asking);
	shorten(asking);
	add_waits(asking);
	if (asks_for_other_cores(asking))
		change_wakes(asking);
	set_host(asking);
	rc = replay_schedule(&asking->graph.plan, &asking->host, &times);
	if (rc)
		return rc;
	whatif->wall_ns = times.wall_ns * asking->correction;
	whatif->memory_peak_bytes = times.memory_peak_bytes;
	whatif->spread.calibration = OFF_PART * whatif_off(whatif);
	whatif->spread.cores = PER_DOUBLING * fabs(log2(whatif->cores / whatif->measured_cores));
	rc = asking->ask->brief ? 0 : take_spans(asking, &times);
	if (rc == 0)
		rc = whatif_spread_of_work(asking->run, &whatif->spread);
	if (rc == 0)
		rc = find_unknown(asking);
	whatif_spread_apply(whatif);
	return rc || asking->ask->brief
		       ? rc
		       : whatif_gains_find(asking->run, &asking->graph, &asking->host,
					   asking->correction, whatif);
}

static void note_slots(const struct asking *asking)
{
	struct whatif *whatif = asking->whatif;

	if (asking->ask->no_queue)
		note(whatif, "Every task begins when its inputs are there.");
	else if (isinf(whatif->slots))
		note(whatif, "Slots: not limited; %s.", asking->base->slots.because);
	else
		note(whatif, "Slots: %g, as measured %g; %s.", whatif->slots,
		     whatif->measured_slots,
		     asking->ask->slots > 0 ? "as was asked for" : asking->base->slots.because);
}

static void write_notes(const struct asking *asking)
{
	struct whatif *whatif = asking->whatif;
	const struct replay_run *run = asking->run;

	if (whatif->cores_inferred)
		note(whatif,
		     "The host has %g CPUs; the run got %.3g, by what its threads used while they "
		     "waited for more.",
		     run->host_cpus, whatif->measured_cores);
	note_slots(asking);
	if (fabs(log(asking->correction)) > NEAR_ONE)
		note(whatif,
		     "Replayed as it was, the run takes %.1f s; it took %.1f s. The answer is "
		     "corrected by that.",
		     whatif->replayed_ns / 1e9, whatif->measured_ns / 1e9);
	if (asking->graph.guessed)
		note(whatif,
		     "What %zu tasks waited for is not recorded: they are taken to need the task "
		     "that had ended last.",
		     asking->graph.guessed);
	if (strcmp(run->status, "failed") == 0)
		note(whatif, "The run failed: it is replayed until then.");
	if (run->lost_records > 0)
		note(whatif, "%lld records of its host were lost: what they held is not replayed.",
		     (long long)run->lost_records);
	note(whatif, "Waits for storage, network and locks take as long as they took; cores are as "
		     "fast as those of the run, and other work leaves them free.");
}

static int answer(struct asking *asking)
{
	size_t jobs = asking->graph.plan.job_count;
	CLEANUP(freep) struct replay_job *own = calloc(jobs, sizeof(*own));
	int rc;

	if (!own)
		return -ENOMEM;
	memcpy(own, asking->graph.jobs, jobs * sizeof(*own));
	asking->graph.plan.jobs = asking->graph.jobs = own;
	rc = replay_asked(asking);
	if (rc == 0)
		write_notes(asking);
	return rc;
}

int whatif_answer(const struct whatif_base *base, const struct whatif_ask *ask, struct whatif *ret)
{
	struct whatif whatif = base->measured;
	struct asking asking = {
		.base = base, .run = base->run, .ask = ask, .whatif = &whatif, .graph = base->graph
	};
	bool refused = *whatif.refused || whatif_refuse_ask(base->run, ask, &whatif);
	int rc = refused ? 0 : answer(&asking);

	if (rc)
		whatif_clear(&whatif);
	else
		*ret = whatif;
	return rc;
}

int whatif_find(const struct replay_run *run, const struct whatif_ask *ask, struct whatif *ret)
{
	CLEANUP(whatif_base_clear) struct whatif_base base = { 0 };
	int rc = whatif_base_make(&base, run);

	return rc ? rc : whatif_answer(&base, ask, ret);
}

void whatif_clear(struct whatif *whatif)
{
	free(whatif->spans);
	*whatif = (struct whatif){ 0 };
}
