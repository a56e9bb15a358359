/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "history_plan.h"
#include "simulated_agent.h"
#include "simulated_files.h"
#include "work.h"

/*
 * What a lake has that agents sent to for two days (history_plan.h): each agent sends its history
 * ten minutes a batch, all at the same time. began_at is when the first begins.
 */
#define LANES_MAX 128
#define FIRST_PID 1000
#define BOOT_NS   UINT64_C(100000000000000)
#define FAILURES  97 /* one of so many fails */

/* One execution at a time of a run: number execution, from round to ends. */
struct lane {
	unsigned execution, round, ends;
	bool runs;
};

/* Where an agent's history is. */
struct past {
	unsigned run_n; /* of its runs */
	struct history_run run;
	bool begun;
	unsigned begun_executions, live;
	uint64_t executions; /* of earlier runs: pids go on */
	uint64_t sequence;   /* of its last batch */
	char run_id[SIMULATED_ID];
	struct lane lanes[LANES_MAX];
};

struct history {
	struct work_options options;
	struct history_plan plan;
	struct figures_set figures; /* owned */
	struct past *pasts;         /* owned; by host */
	struct buffer skipped;      /* batches that are made and dropped */
};

static void history_close(void *state)
{
	struct history *history = state;

	if (!history)
		return;
	figures_close(&history->figures);
	free(history->pasts);
	buffer_clear(&history->skipped);
	free(history);
}

DEFINE_CLEANUP(struct history *, history_close)

static void *history_open(const struct work_options *options, struct error *err)
{
	CLEANUP(history_closep) struct history *history = calloc(1, sizeof(*history));

	if (!history || figures_open(&history->figures, options->folder, err))
		return NULL;
	history->options = *options;
	buffer_init(&history->skipped, 0);
	history->plan = history_plan_of(options->agents);
	history->pasts = calloc(history->plan.hosts, sizeof(struct past));
	if (!history->pasts) {
		error_set(err, -ENOMEM, "no memory for %u hosts", history->plan.hosts);
		return NULL;
	}
	for (unsigned host = 0; host < history->plan.hosts; host++)
		history->pasts[host].run = history_plan_run(&history->plan, options->rows, host, 0);
	return TAKE_PTR(history);
}

static int64_t round_at(const struct history *history, unsigned round)
{
	return history->options.began_at + (int64_t)(round * SIMULATED_STEP);
}

static void task_id(char id[SIMULATED_ID], const struct past *past, unsigned task)
{
	simulated_id(id, "7a5c", past->run.number, task);
}

/* Executions of a lane are its numbers lane, lane + lanes, …; so many of them make a task. */
static unsigned task_of(const struct past *past, unsigned execution)
{
	unsigned lanes = past->run.lanes;

	return execution / lanes / past->run.task * lanes + execution % lanes;
}

static struct simulated_process process_of(const struct history *history, const struct past *past,
					   const struct lane *lane, const char *task)
{
	uint64_t number = past->executions + lane->execution;

	return (struct simulated_process){
		.pid = (uint32_t)(FIRST_PID + number % 4000000),
		.start_ns = BOOT_NS + lane->round * SIMULATED_STEP + number % 1000003,
		.image_seq = number + 1,
		.run_id = past->run_id,
		.task_id = task,
		.started_at = round_at(history, lane->round),
		.tool = lane->execution % 20 + past->run.number % 5,
		.failed = lane->execution % FAILURES == FAILURES - 1,
		.figures = figures_of(&history->figures, number + past->run.number),
		.chance = (uint64_t)past->run.number << 32 | lane->execution,
	};
}

/* A task begins with the first execution of its lane, and ends with the last. */
static void put_task(const struct history *history, const struct past *past,
		     const struct simulated_process *process, unsigned execution,
		     struct buffer *out)
{
	bool ends = process->ended_at != 0;
	unsigned turn = execution / past->run.lanes, task = past->run.task;
	bool last = turn % task == task - 1 || execution + past->run.lanes >= past->run.executions;
	struct simulated_task record = { .task_id = process->task_id,
					 .run_id = process->run_id,
					 .number = task_of(past, execution),
					 .steps = past->run.steps,
					 .pid = process->pid,
					 .start_ns = process->start_ns,
					 .ended_at = process->ended_at };
	unsigned length = (turn % task + 1) * past->run.life;

	if (ends ? !last : turn % task != 0)
		return;
	record.started_at = process->started_at;
	if (ends && turn % task)
		record.started_at -= (int64_t)((length - past->run.life) * SIMULATED_STEP);
	simulated_task(out, &record);
}

static void end_execution(const struct history *history, struct past *past, struct lane *lane,
			  unsigned round, struct buffer *out)
{
	struct simulated_process process;
	char task[SIMULATED_ID];

	task_id(task, past, task_of(past, lane->execution));
	process = process_of(history, past, lane, task);
	process.ended_at = round_at(history, round);
	process.sample = round - lane->round;
	simulated_execution(out, &process);
	simulated_files(out, &process, past->run.lanes);
	put_task(history, past, &process, lane->execution, out);
	lane->runs = false;
	past->live--;
}

/* One that ends within its batch has one record in it. */
static void begin_execution(const struct history *history, struct past *past, struct lane *lane,
			    unsigned round, struct buffer *out, struct work_counts *ret)
{
	struct simulated_process process;
	char task[SIMULATED_ID];

	lane->round = round;
	lane->ends = round + history_plan_life(&past->run, lane->execution);
	lane->runs = true;
	past->live++;
	past->begun_executions++;
	task_id(task, past, task_of(past, lane->execution));
	ret->executions++;
	if (lane->ends <= round / HISTORY_SLICE * HISTORY_SLICE + HISTORY_SLICE - 1)
		return;
	process = process_of(history, past, lane, task);
	simulated_execution(out, &process);
	put_task(history, past, &process, lane->execution, out);
}

static void put_lane(const struct history *history, struct past *past, unsigned place,
		     unsigned round, struct buffer *out, struct work_counts *ret)
{
	struct lane *lane = &past->lanes[place];
	struct simulated_process process;
	char task[SIMULATED_ID];

	if (lane->runs && round == lane->ends) {
		end_execution(history, past, lane, round, out);
		lane->execution += past->run.lanes;
	}
	if (!lane->runs && lane->execution < past->run.executions)
		begin_execution(history, past, lane, round, out, ret);
	if (!lane->runs)
		return;
	task_id(task, past, task_of(past, lane->execution));
	process = process_of(history, past, lane, task);
	process.sample = round - lane->round;
	simulated_sample(out, &process, round_at(history, round), round_at(history, round + 1));
	ret->samples++;
}

static void begin_run(const struct history *history, struct past *past, struct buffer *out)
{
	past->begun = true;
	past->begun_executions = 0;
	simulated_id(past->run_id, "4a11", past->run.number, 0);
	for (unsigned lane = 0; lane < past->run.lanes; lane++)
		past->lanes[lane] = (struct lane){ .execution = lane };
	simulated_run(out, past->run_id, past->run.number, round_at(history, past->run.first_round),
		      0);
}

static void end_run(const struct history *history, unsigned host, struct past *past, unsigned round,
		    struct buffer *out)
{
	simulated_run(out, past->run_id, past->run.number, round_at(history, past->run.first_round),
		      round_at(history, round));
	past->begun = false;
	past->executions += past->run.executions;
	past->run_n++;
	if (past->run_n < history_plan_runs(&history->plan, host))
		past->run =
			history_plan_run(&history->plan, history->options.rows, host, past->run_n);
}

/* A run that begins before the one before it ended waits. */
static void put_round(const struct history *history, unsigned host, unsigned round,
		      struct buffer *out, struct work_counts *ret)
{
	struct past *past = &history->pasts[host];
	bool more = past->run_n < history_plan_runs(&history->plan, host);

	if (more && !past->begun && round >= past->run.first_round) {
		past->run.first_round = round;
		begin_run(history, past, out);
	}
	if (past->begun) {
		for (unsigned lane = 0; lane < past->run.lanes; lane++)
			put_lane(history, past, lane, round, out, ret);
		if (!past->live && past->begun_executions == past->run.executions)
			end_run(history, host, past, round, out);
	}
	simulated_host_sample(out, round_at(history, round), round_at(history, round + 1),
			      past->live);
}

static void put_batch(struct history *history, unsigned host, struct buffer *out,
		      struct work_counts *ret)
{
	unsigned number = history->options.first_agent + host;
	uint64_t sequence = ++history->pasts[host].sequence;
	unsigned first = (unsigned)(sequence - 1) * HISTORY_SLICE;

	simulated_header(out, number, sequence, round_at(history, first + HISTORY_SLICE));
	simulated_host(out, number, round_at(history, first),
		       history->options.began_at - (int64_t)BOOT_NS);
	for (unsigned round = first; round < first + HISTORY_SLICE; round++)
		put_round(history, host, round, out, ret);
}

/* Batches before it that the lake has from an earlier process are made, too, and dropped. */
static bool history_next(void *state, unsigned host, uint64_t sequence, struct buffer *out,
			 struct work_counts *ret)
{
	struct history *history = state;

	if (host >= history->plan.hosts || sequence > HISTORY_BATCHES)
		return false;
	while (history->pasts[host].sequence + 1 < sequence) {
		struct work_counts counts = { 0 };

		buffer_reset(&history->skipped);
		put_batch(history, host, &history->skipped, &counts);
	}
	put_batch(history, host, out, ret);
	return true;
}

const struct work WORK_HISTORY = {
	.name = "history",
	.help = "two days of hosts and runs; --rows: samples in all, in thousands",
	.open = history_open,
	.next = history_next,
	.close = history_close,
};
