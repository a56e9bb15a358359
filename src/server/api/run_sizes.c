/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "server/api/handlers.h"
#include "server/query/run.h"
#include "server/rows/answer.h"
#include "server/steps/pipeline_history.h"
#include "tune/emit/emit.h"
#include "tune/size/program_memory.h"
#include "tune/size/size.h"

/* GET /api/v1/runs/{run}/sizes: what to request for the steps of the run. */

/* Below 0 is "not known". */
static struct cell known(double value)
{
	return value < 0 || !isfinite(value) ? CELL_NONE : cell_double(value);
}

static struct cell whole(double value)
{
	return value < 0 || !isfinite(value) ? CELL_NONE
					     : cell_i64((int64_t)fmin(ceil(value), 9e18));
}

/* The columns of an amount; its unit is the caller's. */
#define AMOUNT_COLUMNS 12
#define AMOUNT(name, unit)                                                                 \
	{ name "_requested" unit, STORE_I64 }, { name "_highest" unit, STORE_I64 },        \
		{ name "_advised" unit, STORE_I64 }, { name "_basis", STORE_TEXT },        \
		{ name "_intercept" unit, STORE_DOUBLE }, { name "_slope", STORE_DOUBLE }, \
		{ name "_factor", STORE_DOUBLE }, { name "_risk", STORE_DOUBLE },          \
		{ name "_enough", STORE_BOOL }, { name "_tasks", STORE_I64 },              \
		{ name "_needs_tasks", STORE_I64 },                                        \
	{                                                                                  \
		name "_needs_runs", STORE_I64                                              \
	}

static void amount_cells(const struct size_amount *amount, struct cell *cells)
{
	bool linear = amount->basis == SIZE_LINEAR;

	cells[0] = whole(amount->requested > 0 ? amount->requested : -1);
	cells[1] = whole(amount->highest);
	cells[2] = whole(amount->basis == SIZE_UNKNOWN ? -1 : amount->advised);
	cells[3] = cell_text(size_basis_name(amount->basis));
	cells[4] = linear ? cell_double(amount->intercept) : CELL_NONE;
	cells[5] = linear ? cell_double(amount->slope) : CELL_NONE;
	cells[6] = linear ? cell_double(amount->factor) : CELL_NONE;
	cells[7] = known(amount->risk);
	cells[8] = cell_bool(amount->enough);
	cells[9] = cell_i64((int64_t)amount->tasks);
	cells[10] = cell_i64((int64_t)amount->needs_tasks);
	cells[11] = cell_i64((int64_t)amount->needs_runs);
}

#define STEP_COLUMNS 3
#define CPUS_COLUMNS 6
#define LAST_COLUMNS 6

static void cpus_cells(const struct size_cpus *cpus, struct cell *cells)
{
	cells[0] = known(cpus->requested > 0 ? cpus->requested : -1);
	cells[1] = known(cpus->tasks ? cpus->used : -1);
	cells[2] = known(cpus->tasks ? cpus->used_high : -1);
	cells[3] = known(cpus->tasks && cpus->advised > 0 ? cpus->advised : -1);
	cells[4] = known(cpus->tasks ? cpus->slowdown : -1);
	cells[5] = cpus->tasks ? cell_bool(cpus->wants_more) : CELL_NONE;
}

/* The option that sets the memory of a program of the step; NULL: there is none. */
static const char *find_program_memory(const struct pipeline_step *step,
				       char text[PROGRAM_MEMORY_SIZE])
{
	const char *found = NULL;

	for (size_t i = 0; !found && i < step->of_run; i++)
		found = program_memory_find(step->tasks[i].arguments, text);
	return found;
}

/* The most that a first try of this run asked for; below 0: nothing. */
static double most_asked(const struct pipeline_step *step)
{
	double most = -1;

	for (size_t i = 0; i < step->of_run; i++)
		if (step->tasks[i].attempt <= 1 && step->tasks[i].memory_requested_bytes > 0)
			most = fmax(most, step->tasks[i].memory_requested_bytes);
	return most;
}

static void write_step(struct row_writer *writer, const struct pipeline_step *step,
		       const struct step_size *size)
{
	char program[PROGRAM_MEMORY_SIZE];
	struct cell cells[STEP_COLUMNS + 3 * AMOUNT_COLUMNS + CPUS_COLUMNS + LAST_COLUMNS];
	struct cell *at = cells;

	*at++ = cell_text(step->name);
	*at++ = cell_i64((int64_t)step->of_run);
	*at++ = cell_i64((int64_t)step->count);
	amount_cells(&size->memory, at);
	at[0] = whole(most_asked(step));
	amount_cells(&size->time, at += AMOUNT_COLUMNS);
	amount_cells(&size->disk, at += AMOUNT_COLUMNS);
	cpus_cells(&size->cpus, at += AMOUNT_COLUMNS);
	at += CPUS_COLUMNS;
	*at++ = known(size->escalation[1]);
	*at++ = known(size->escalation[2]);
	*at++ = cell_i64((int64_t)size->out_of_memory);
	*at++ = known(size->wasted_now);
	*at++ = known(size->wasted_then);
	*at++ = cell_text(find_program_memory(step, program));
	ROW_LIST_ADD(writer, cells);
}

static void write_steps(struct row_writer *writer, const struct pipeline_history *history,
			const struct sizes *sizes)
{
	static const struct row_column COLUMNS[] = {
		{ "step", STORE_TEXT },
		{ "tasks", STORE_I64 },
		{ "tasks_of_history", STORE_I64 },
		AMOUNT("memory", "_bytes"),
		AMOUNT("time", "_ns"),
		AMOUNT("disk", "_bytes"),
		{ "cpus_requested", STORE_DOUBLE },
		{ "cpus_used_median", STORE_DOUBLE },
		{ "cpus_used_p95", STORE_DOUBLE },
		{ "cpus_advised", STORE_DOUBLE },
		{ "cpus_slowdown", STORE_DOUBLE },
		{ "cpus_wants_more", STORE_BOOL },
		{ "second_try_factor", STORE_DOUBLE },
		{ "third_try_factor", STORE_DOUBLE },
		{ "out_of_memory", STORE_I64 },
		{ "wasted_now_gb_h", STORE_DOUBLE },
		{ "wasted_then_gb_h", STORE_DOUBLE },
		{ "program_memory", STORE_TEXT },
	};

	ROW_LIST_BEGIN(writer, "steps", COLUMNS);
	for (size_t i = 0; i < history->run_step_count; i++) {
		const struct step_size *size = sizes_find(sizes, history->steps[i].name);

		if (size)
			write_step(writer, &history->steps[i], size);
	}
	row_list_end(writer);
}

/* The text for each engine. */
static int write_settings(struct row_writer *writer, const struct pipeline_history *history,
			  const struct sizes *sizes)
{
	CLEANUP(freep)
	const struct step_size **steps =
		calloc(history->run_step_count + 1, sizeof(struct step_size *));
	struct emit_run run = { steps, 0, history->past_runs + 1 };

	if (!steps)
		return -ENOMEM;
	for (size_t i = 0; i < history->run_step_count; i++) {
		steps[run.count] = sizes_find(sizes, history->steps[i].name);
		run.count += steps[run.count] != NULL;
	}
	row_group_begin(writer, "settings");
	for (size_t i = 0; i < emit_engine_count; i++) {
		CLEANUP(buffer_clear) struct buffer text = { 0 };

		buffer_init(&text, 0);
		emit_engines[i]->write(&run, &text);
		row_field(writer, emit_engines[i]->name, cell_text(text.failed ? NULL : text.data));
	}
	row_group_end(writer);
	return 0;
}

int get_run_sizes(struct request *request, struct reply *reply)
{
	CLEANUP(pipeline_history_clear) struct pipeline_history history = { 0 };
	CLEANUP(sizes_clear) struct sizes sizes = { 0 };
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	char id[RUN_ID_SIZE];
	struct row_writer writer;
	int rc = run_resolve(request, reply, id);

	if (rc == 0)
		rc = pipeline_history_of_run(request->server, id, HISTORY_OF_READER,
					     reader_param(&request->reader, &text), &history,
					     &reply->error);
	if (rc)
		return rc;
	rc = sizes_make(history.tasks, history.task_count, NULL, &sizes);
	if (rc)
		return error_set(&reply->error, rc, "no memory for the sizes");
	answer_begin(&writer, request, reply);
	row_field(&writer, "id", cell_text(id));
	row_field(&writer, "engine", cell_text(row_text(history.head, "engine")));
	row_field(&writer, "runs", cell_i64((int64_t)history.past_runs + 1));
	row_field(&writer, "risk", known(sizes.risk));
	write_steps(&writer, &history, &sizes);
	rc = write_settings(&writer, &history, &sizes);
	row_writer_end(&writer);
	return rc ? error_set(&reply->error, rc, "no memory for the settings") : 0;
}
