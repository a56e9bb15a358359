/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "findings/usual/unusual_words.h"
#include "server/api/handlers.h"
#include "server/query/run.h"
#include "server/rows/answer.h"
#include "server/steps/run_expectation.h"

/* GET /api/v1/runs/{run}/expected: whether the run is as usual, and when it will end. */

static const char *usual_text(const struct usual *usual)
{
	if (usual->count)
		return "not as usual";
	return usual->known ? "as usual" : "not enough history";
}

static size_t count_ended(const struct pipeline_step *step, enum step_task_end end)
{
	size_t count = 0;

	for (size_t i = 0; i < step->of_run; i++)
		count += step->tasks[i].end == end;
	return count;
}

static struct cell seconds(bool known, double ns)
{
	return known ? cell_seconds((int64_t)ns) : CELL_NONE;
}

#define REMAINING_COLUMNS                                              \
	{ "progress", STORE_DOUBLE }, { "remaining_s", STORE_DOUBLE }, \
		{ "remaining_low_s", STORE_DOUBLE },                   \
	{                                                              \
		"remaining_high_s", STORE_DOUBLE                       \
	}
#define REMAINING_COUNT 4

/* remaining NULL: nothing is expected. */
static void remaining_cells(const struct remaining *remaining, struct cell *cells)
{
	bool known = remaining && remaining->known;

	cells[0] = remaining && remaining->progress >= 0 ? cell_double(remaining->progress)
							 : CELL_NONE;
	cells[1] = seconds(known, known ? remaining->median_ns : 0);
	cells[2] = seconds(known, known ? remaining->low_ns : 0);
	cells[3] = seconds(known, known ? remaining->high_ns : 0);
}

static struct cell instant(const struct remaining *remaining, int64_t now_at, double ns)
{
	return remaining->known ? cell_time(now_at + (int64_t)ns) : CELL_NONE;
}

static void write_run(struct row_writer *writer, const struct run_expectation *expectation,
		      int64_t now_at)
{
	static const struct row_column COLUMNS[] = { REMAINING_COLUMNS };
	const struct remaining *run = &expectation->remaining.run;
	struct cell cells[REMAINING_COUNT];

	remaining_cells(expectation->runs ? run : NULL, cells);
	row_group_begin(writer, "run");
	for (size_t i = 0; i < REMAINING_COUNT; i++)
		row_field(writer, COLUMNS[i].name, cells[i]);
	row_field(writer, "expected_end_at", instant(run, now_at, run->median_ns));
	row_field(writer, "low_at", instant(run, now_at, run->low_ns));
	row_field(writer, "high_at", instant(run, now_at, run->high_ns));
	row_field(writer, "why_unknown", cell_text(expectation->why_unknown));
	row_group_end(writer);
}

static const struct remaining *remaining_step(const struct run_expectation *expectation, size_t i)
{
	return expectation->remaining.steps ? &expectation->remaining.steps[i] : NULL;
}

#define STEP_COLUMNS 7

/* Of a step of the run; usual NULL: of one that has not begun. */
static void write_step(struct row_writer *writer, const struct run_usual *run,
		       const struct run_expectation *expectation, size_t i)
{
	const struct usual *usual = i < run->steps.count ? &run->steps.items[i].usual : NULL;
	const struct pipeline_step *step = &run->history.steps[i];
	size_t done = count_ended(step, STEP_TASK_SUCCEEDED),
	       running = count_ended(step, STEP_TASK_RUNS);
	struct cell cells[STEP_COLUMNS + REMAINING_COUNT] = {
		cell_text(step->name),
		cell_text(usual ? usual_text(usual) : "not begun"),
		usual ? cell_i64((int64_t)usual->runs_missing) : CELL_NONE,
		usual && usual->noticeable > 0 ? cell_double(usual->noticeable) : CELL_NONE,
		cell_i64((int64_t)done),
		cell_i64((int64_t)running),
		expectation->remaining.tasks_to_come
			? cell_i64((int64_t)(done + running +
					     expectation->remaining.tasks_to_come[i]))
			: CELL_NONE,
	};

	remaining_cells(remaining_step(expectation, i), cells + STEP_COLUMNS);
	ROW_LIST_ADD(writer, cells);
}

static void write_steps(struct row_writer *writer, const struct run_usual *run,
			const struct run_expectation *expectation)
{
	static const struct row_column COLUMNS[] = {
		{ "step", STORE_TEXT },          { "usual", STORE_TEXT },
		{ "runs_missing", STORE_I64 },   { "noticeable", STORE_DOUBLE },
		{ "done", STORE_I64 },           { "running", STORE_I64 },
		{ "expected_tasks", STORE_I64 }, REMAINING_COLUMNS,
	};
	size_t count = expectation->runs ? run->history.step_count : run->steps.count;

	ROW_LIST_BEGIN(writer, "steps", COLUMNS);
	for (size_t i = 0; i < count; i++)
		write_step(writer, run, expectation, i);
	row_list_end(writer);
}

static void write_tasks_of(struct row_writer *writer, const struct step_history *history,
			   const struct step_history_run *run, const struct remaining *remaining)
{
	for (size_t i = 0; i < run->count; i++) {
		const struct step_task *task = history->tasks[run->first + i];
		struct cell cells[3 + REMAINING_COUNT] = { cell_text(task->id),
							   cell_text(task->step),
							   cell_text(task->name) };

		if (task->end != STEP_TASK_RUNS)
			continue;
		remaining_cells(&remaining[i], cells + 3);
		ROW_LIST_ADD(writer, cells);
	}
}

/* Those that run. */
static void write_tasks(struct row_writer *writer, const struct run_expectation *expectation,
			const char *run_id)
{
	static const struct row_column COLUMNS[] = {
		{ "id", STORE_TEXT },
		{ "step", STORE_TEXT },
		{ "name", STORE_TEXT },
		REMAINING_COLUMNS,
	};

	ROW_LIST_BEGIN(writer, "tasks", COLUMNS);
	for (size_t i = 0; i < expectation->count; i++) {
		const struct step_history *history = &expectation->histories[i];
		const struct step_history_run *run = step_history_run(history, run_id);

		if (run && expectation->tasks[i])
			write_tasks_of(writer, history, run, expectation->tasks[i]);
	}
	row_list_end(writer);
}

static void write_item(struct row_writer *writer, const char *step, const struct unusual *unusual)
{
	CLEANUP(freep) char *words = unusual_words(unusual);
	const struct step_task *task = unusual->task;
	const struct cell cells[] = {
		cell_text(unusual->kind->name),
		cell_text(step),
		cell_text(task ? task->id : NULL),
		cell_text(task ? task->name : NULL),
		cell_text(unusual_kind_figure(unusual->kind)),
		cell_bool(unusual->above),
		cell_bool(unusual->so_far),
		cell_double(unusual->value),
		cell_double(unusual->typical_low),
		cell_double(unusual->typical_median),
		cell_double(unusual->typical_high),
		cell_double(unusual->confidence),
		cell_i64((int64_t)unusual->history_runs),
		cell_text(words ? words : ""),
	};

	ROW_LIST_ADD(writer, cells);
}

static void write_unusual(struct row_writer *writer, const struct usual_steps *steps)
{
	static const struct row_column COLUMNS[] = {
		{ "kind", STORE_TEXT },           { "step", STORE_TEXT },
		{ "task_id", STORE_TEXT },        { "task_name", STORE_TEXT },
		{ "figure", STORE_TEXT },         { "above", STORE_BOOL },
		{ "so_far", STORE_BOOL },         { "value", STORE_DOUBLE },
		{ "typical_low", STORE_DOUBLE },  { "typical_median", STORE_DOUBLE },
		{ "typical_high", STORE_DOUBLE }, { "confidence", STORE_DOUBLE },
		{ "history_runs", STORE_I64 },    { "text", STORE_TEXT },
	};

	ROW_LIST_BEGIN(writer, "unusual", COLUMNS);
	for (size_t i = 0; i < steps->count; i++)
		for (size_t k = 0; k < steps->items[i].usual.count; k++)
			write_item(writer, steps->items[i].name, &steps->items[i].usual.items[k]);
	row_list_end(writer);
}

static void write_answer(struct row_writer *writer, const char *id, const struct run_usual *run,
			 const struct run_expectation *expectation, int64_t now_at)
{
	row_field(writer, "id", cell_text(id));
	row_field(writer, "status", cell_text(row_text(run->history.head, "status")));
	row_field(writer, "runs", cell_i64((int64_t)run->history.past_runs));
	write_run(writer, expectation, now_at);
	write_steps(writer, run, expectation);
	write_tasks(writer, expectation, id);
	write_unusual(writer, &run->steps);
}

int get_run_expected(struct request *request, struct reply *reply)
{
	CLEANUP(run_usual_clear) struct run_usual run = { 0 };
	CLEANUP(run_expectation_clear) struct run_expectation expectation = { 0 };
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	int64_t now_at = clock_real_ns();
	char id[RUN_ID_SIZE];
	struct row_writer writer;
	int rc = run_resolve(request, reply, id);

	if (rc == 0)
		rc = run_usual_read(request->server, id, HISTORY_OF_READER,
				    reader_param(&request->reader, &text), &run, &reply->error);
	if (rc)
		return rc;
	if (run_expectation_make(&run, now_at, &expectation))
		return error_set(&reply->error, -ENOMEM, "no memory for the expectation");
	answer_begin(&writer, request, reply);
	write_answer(&writer, id, &run, &expectation, now_at);
	row_writer_end(&writer);
	return 0;
}
