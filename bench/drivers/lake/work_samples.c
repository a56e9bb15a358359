/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "simulated_agent.h"
#include "work.h"

/*
 * Samples of processes that run: the first batch of an agent has its host, one run, the tasks and
 * the processes; each later one has `rows` samples, a round of all processes each five seconds.
 * With a life, a process ends after so many rounds and another begins: the records of both go with
 * the round. A process has a place (0 to processes - 1), and a generation.
 */
#define TASK_PROCESSES 8 /* of one task */
#define STEPS          10
#define FIRST_PID      1000
#define BOOT_NS        UINT64_C(100000000000000) /* of the boot clock at began_at */

struct samples {
	struct work_options options;
	struct figures_set figures; /* owned */
	char *task_ids;             /* owned; of all agents */
	char *run_ids;              /* owned */
	unsigned tasks;             /* of one agent */
};

static void samples_close(void *state)
{
	struct samples *samples = state;

	if (!samples)
		return;
	figures_close(&samples->figures);
	free(samples->task_ids);
	free(samples->run_ids);
	free(samples);
}

DEFINE_CLEANUP(struct samples *, samples_close)

static void *samples_open(const struct work_options *options, struct error *err)
{
	CLEANUP(samples_closep) struct samples *samples = calloc(1, sizeof(*samples));

	if (!samples || figures_open(&samples->figures, options->folder, err))
		return NULL;
	samples->options = *options;
	samples->tasks = (options->processes + TASK_PROCESSES - 1) / TASK_PROCESSES;
	samples->run_ids = calloc(options->agents, SIMULATED_ID);
	samples->task_ids = calloc((size_t)options->agents * samples->tasks, SIMULATED_ID);
	if (!samples->run_ids || !samples->task_ids) {
		error_set(err, -ENOMEM, "no memory for %u agents", options->agents);
		return NULL;
	}
	for (unsigned agent = 0; agent < options->agents; agent++) {
		simulated_id(samples->run_ids + (size_t)agent * SIMULATED_ID, "4a11",
			     options->first_agent + agent, 0);
		for (unsigned task = 0; task < samples->tasks; task++)
			simulated_id(samples->task_ids +
					     ((size_t)agent * samples->tasks + task) * SIMULATED_ID,
				     "7a5c", options->first_agent + agent, task);
	}
	return TAKE_PTR(samples);
}

static int64_t round_at(const struct samples *samples, uint64_t round)
{
	return samples->options.began_at + (int64_t)(round * SIMULATED_STEP);
}

/* In which round a generation of a place begins: places take turns. */
static uint64_t first_round(const struct samples *samples, unsigned place, uint64_t generation)
{
	unsigned life = samples->options.life;

	return generation ? (generation - 1) * life + place % life + 1 : 0;
}

static uint64_t generation_at(const struct samples *samples, unsigned place, uint64_t round)
{
	unsigned life = samples->options.life;

	if (!life || round < place % life + 1)
		return 0;
	return (round - place % life - 1) / life + 1;
}

static struct simulated_process process_of(const struct samples *samples, unsigned agent,
					   unsigned place, uint64_t generation)
{
	uint64_t number = generation * samples->options.processes + place;
	uint64_t round = first_round(samples, place, generation);
	unsigned task = place / TASK_PROCESSES;

	return (struct simulated_process){
		.pid = (uint32_t)(FIRST_PID + number % 4000000),
		.start_ns = BOOT_NS + round * SIMULATED_STEP + number % 1000003,
		.image_seq = number + 1,
		.run_id = samples->run_ids + (size_t)agent * SIMULATED_ID,
		.task_id =
			samples->task_ids + ((size_t)agent * samples->tasks + task) * SIMULATED_ID,
		.started_at = round_at(samples, round),
		.tool = (unsigned)number,
		.figures = figures_of(&samples->figures, number + agent * UINT64_C(31)),
		.chance = (uint64_t)(samples->options.first_agent + agent) << 32 | number,
	};
}

static void put_begin(const struct samples *samples, unsigned agent, struct buffer *out,
		      struct work_counts *ret)
{
	const char *run_id = samples->run_ids + (size_t)agent * SIMULATED_ID;

	simulated_host(out, samples->options.first_agent + agent, samples->options.began_at,
		       samples->options.began_at - (int64_t)BOOT_NS);
	simulated_run(out, run_id, agent, samples->options.began_at, 0);
	for (unsigned task = 0; task < samples->tasks; task++) {
		struct simulated_process first =
			process_of(samples, agent, task * TASK_PROCESSES, 0);
		struct simulated_task one = { .task_id = first.task_id,
					      .run_id = run_id,
					      .number = task,
					      .steps = STEPS,
					      .pid = first.pid,
					      .start_ns = first.start_ns,
					      .started_at = first.started_at };

		simulated_task(out, &one);
	}
	for (unsigned place = 0; place < samples->options.processes; place++) {
		struct simulated_process process = process_of(samples, agent, place, 0);

		simulated_execution(out, &process);
	}
	ret->executions += samples->options.processes;
}

/* The sample of a place in a round. Where it is the first of a generation: the end of the one
 * before, and the beginning, too. */
static void put_place(const struct samples *samples, unsigned agent, unsigned place, uint64_t round,
		      struct buffer *out, struct work_counts *ret)
{
	uint64_t generation = generation_at(samples, place, round);
	struct simulated_process process = process_of(samples, agent, place, generation);

	if (generation && first_round(samples, place, generation) == round) {
		struct simulated_process ended = process_of(samples, agent, place, generation - 1);

		ended.ended_at = process.started_at;
		ended.sample = samples->options.life;
		simulated_execution(out, &ended);
		simulated_execution(out, &process);
		ret->executions++;
	}
	process.sample = round - first_round(samples, place, generation);
	simulated_sample(out, &process, round_at(samples, round), round_at(samples, round + 1));
	ret->samples++;
}

static bool samples_next(void *state, unsigned agent, uint64_t sequence, struct buffer *out,
			 struct work_counts *ret)
{
	const struct samples *samples = state;
	unsigned rows = samples->options.rows, processes = samples->options.processes;
	uint64_t first = sequence < 2 ? 0 : (sequence - 2) * rows;

	simulated_header(out, samples->options.first_agent + agent, sequence,
			 round_at(samples, (first + rows) / processes));
	if (sequence == 1) {
		put_begin(samples, agent, out, ret);
		return true;
	}
	for (uint64_t row = first; row < first + rows; row++)
		put_place(samples, agent, (unsigned)(row % processes), row / processes, out, ret);
	return true;
}

/* An agent of a host on which no tracked work runs: a sample of the host each five seconds. */
static bool idle_next(void *state, unsigned agent, uint64_t sequence, struct buffer *out,
		      struct work_counts *ret)
{
	const struct samples *samples = state;
	int64_t until_at = round_at(samples, sequence);

	simulated_header(out, samples->options.first_agent + agent, sequence, until_at);
	if (sequence == 1)
		simulated_host(out, samples->options.first_agent + agent, until_at,
			       until_at - (int64_t)BOOT_NS);
	simulated_host_sample(out, round_at(samples, sequence - 1), until_at, 0);
	return true;
}

const struct work WORK_SAMPLES = {
	.name = "samples",
	.help = "samples of processes that run, --rows in a batch",
	.open = samples_open,
	.next = samples_next,
	.close = samples_close,
};

const struct work WORK_IDLE = {
	.name = "idle",
	.help = "a sample of an idle host in each batch",
	.open = samples_open,
	.next = idle_next,
	.close = samples_close,
};
