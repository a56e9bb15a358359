/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "server/api/handlers.h"
#include "server/query/query.h"
#include "server/rows/answer.h"
#include "server/steps/pipeline_history.h"
#include "tune/history/step_history.h"

/*
 * GET /api/v1/steps: the history of the steps of a pipeline. Without a step: what each usually
 * takes; with one: box plots of each figure by run.
 */

static const enum step_figure SHOWN[] = {
	FIGURE_WALL, FIGURE_CPU, FIGURE_MEMORY, FIGURE_INPUT, FIGURE_DISK_READ, FIGURE_DISK_WRITE,
};
#define SHOWN_COUNT (sizeof(SHOWN) / sizeof(SHOWN[0]))

static struct cell value_cell(const struct box *box, double value)
{
	return box->count ? cell_double(value) : CELL_NONE;
}

/* Figures: the median and all but a twentieth. */
#define STEP_COLUMNS 5
#define STEP_FIGURE_COLUMNS(name)         \
	{ name "_median", STORE_DOUBLE }, \
	{                                 \
		name "_p95", STORE_DOUBLE \
	}

static int write_step(struct row_writer *writer, const struct pipeline_step *step)
{
	CLEANUP(step_history_clear) struct step_history history = { 0 };
	struct cell cells[STEP_COLUMNS + 2 * SHOWN_COUNT];
	size_t ended[STEP_TASK_ENDS] = { 0 };
	int rc = step_history_of(step->tasks, step->count, &history);

	for (size_t i = 0; rc == 0 && i < SHOWN_COUNT; i++) {
		struct box box = { 0 };

		rc = step_history_box(&history, NULL, SHOWN[i], &box);
		cells[STEP_COLUMNS + 2 * i] = value_cell(&box, box.median);
		cells[STEP_COLUMNS + 2 * i + 1] = value_cell(&box, box.p95);
	}
	if (rc)
		return rc;
	for (size_t i = 0; i < step->count; i++)
		ended[step->tasks[i].end]++;
	cells[0] = cell_text(step->name);
	cells[1] = cell_i64((int64_t)history.run_count);
	cells[2] = cell_i64((int64_t)step->count);
	cells[3] = cell_i64((int64_t)(ended[STEP_TASK_FAILED] + ended[STEP_TASK_OUT_OF_TIME]));
	cells[4] = cell_i64((int64_t)ended[STEP_TASK_OUT_OF_MEMORY]);
	ROW_LIST_ADD(writer, cells);
	return 0;
}

static int write_steps(struct row_writer *writer, const struct pipeline_history *history)
{
	static const struct row_column COLUMNS[] = {
		{ "step", STORE_TEXT },
		{ "runs", STORE_I64 },
		{ "tasks", STORE_I64 },
		{ "failed", STORE_I64 },
		{ "out_of_memory", STORE_I64 },
		STEP_FIGURE_COLUMNS("wall_ns"),
		STEP_FIGURE_COLUMNS("cpu_ns"),
		STEP_FIGURE_COLUMNS("memory_peak_bytes"),
		STEP_FIGURE_COLUMNS("input_bytes"),
		STEP_FIGURE_COLUMNS("disk_read_bytes"),
		STEP_FIGURE_COLUMNS("disk_write_bytes"),
	};
	int rc = 0;

	_Static_assert(sizeof(COLUMNS) / sizeof(COLUMNS[0]) == STEP_COLUMNS + 2 * SHOWN_COUNT,
		       "a column for each cell");
	ROW_LIST_BEGIN(writer, "steps", COLUMNS);
	for (size_t i = 0; rc == 0 && i < history->step_count; i++)
		rc = write_step(writer, &history->steps[i]);
	row_list_end(writer);
	return rc;
}

/* run NULL: over all runs. */
static int write_box(struct row_writer *writer, const struct step_history *history,
		     const struct step_history_run *run, enum step_figure figure)
{
	const struct step_task *first = run ? history->tasks[run->first] : NULL;
	struct box box = { 0 };
	int rc = step_history_box(history, run, figure, &box);
	const struct cell cells[] = {
		cell_text(step_figure_name(figure)),
		cell_text(run ? run->run_id : NULL),
		cell_time(run ? run->started_at : 0),
		cell_text(first && *first->host_type ? first->host_type : NULL),
		cell_text(first && *first->tools ? first->tools : NULL),
		cell_i64((int64_t)box.count),
		value_cell(&box, box.min),
		value_cell(&box, box.q1),
		value_cell(&box, box.median),
		value_cell(&box, box.q3),
		value_cell(&box, box.p95),
		value_cell(&box, box.max),
	};

	if (rc == 0)
		ROW_LIST_ADD(writer, cells);
	return rc;
}

static int write_figure(struct row_writer *writer, const struct step_history *history,
			enum step_figure figure)
{
	int rc = write_box(writer, history, NULL, figure);

	for (size_t i = 0; rc == 0 && i < history->run_count; i++)
		rc = write_box(writer, history, &history->runs[i], figure);
	return rc;
}

static bool is_known(const struct step_history *history, enum step_figure figure)
{
	for (size_t i = 0; i < history->task_count; i++)
		if (step_figure_of(figure, history->tasks[i]) > 0)
			return true;
	return false;
}

static int write_boxes(struct row_writer *writer, const struct pipeline_step *step)
{
	static const struct row_column COLUMNS[] = {
		{ "figure", STORE_TEXT },    { "run_id", STORE_TEXT }, { "started_at", STORE_TIME },
		{ "host_type", STORE_TEXT }, { "tools", STORE_TEXT },  { "tasks", STORE_I64 },
		{ "min", STORE_DOUBLE },     { "q1", STORE_DOUBLE },   { "median", STORE_DOUBLE },
		{ "q3", STORE_DOUBLE },      { "p95", STORE_DOUBLE },  { "max", STORE_DOUBLE },
	};
	CLEANUP(step_history_clear) struct step_history history = { 0 };
	int rc = step ? step_history_of(step->tasks, step->count, &history) : 0;

	ROW_LIST_BEGIN(writer, "boxes", COLUMNS);
	for (enum step_figure figure = 0; rc == 0 && figure < STEP_FIGURES; figure++)
		if (is_known(&history, figure))
			rc = write_figure(writer, &history, figure);
	row_list_end(writer);
	return rc;
}

/* The pipeline of the request; where it names none, that of the latest run that it may read. *ret
 * "" where there is none. latest owns the text. */
static int find_pipeline(struct request *request, const char *reader, struct store_rows **latest,
			 const char **ret, struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", "latest"),
					      PARAM_OPTIONAL("reader", reader) };
	int rc;

	*ret = request_text(request, "pipeline");
	if (*ret)
		return 0;
	rc = QUERY(request->server, "resolve", params, latest, err);
	*ret = rc == 0 && store_next(*latest) ? row_text(*latest, "pipeline") : "";
	return rc;
}

int get_steps(struct request *request, struct reply *reply)
{
	const char *step = request_text(request, "step"), *pipeline;
	CLEANUP(pipeline_history_clear) struct pipeline_history history = { 0 };
	CLEANUP(store_rows_freep) struct store_rows *latest = NULL;
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	const char *reader = reader_param(&request->reader, &text);
	struct row_writer writer;
	int rc = find_pipeline(request, reader, &latest, &pipeline, &reply->error);

	if (rc == 0)
		rc = pipeline_history_of_pipeline(request->server, pipeline, step, reader, &history,
						  &reply->error);
	if (rc)
		return rc;
	answer_begin(&writer, request, reply);
	row_field(&writer, "pipeline", cell_text(*pipeline ? pipeline : NULL));
	row_field(&writer, "runs", cell_i64((int64_t)history.past_runs));
	row_field(&writer, "cut", cell_bool(history.cut));
	rc = write_steps(&writer, &history);
	if (rc == 0 && step)
		rc = write_boxes(&writer, pipeline_history_step(&history, step));
	row_writer_end(&writer);
	return rc ? error_set(&reply->error, rc, "no memory for the history") : 0;
}
