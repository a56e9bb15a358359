/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>

#include "findings/usual/unusual_words.h"
#include "server/api/handlers.h"
#include "server/query/run.h"
#include "server/rows/answer.h"
#include "server/steps/run_usual.h"

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

static void write_steps(struct row_writer *writer, const struct run_usual *run)
{
	static const struct row_column COLUMNS[] = {
		{ "step", STORE_TEXT },        { "usual", STORE_TEXT },
		{ "runs_missing", STORE_I64 }, { "noticeable", STORE_DOUBLE },
		{ "done", STORE_I64 },         { "running", STORE_I64 },
	};

	ROW_LIST_BEGIN(writer, "steps", COLUMNS);
	for (size_t i = 0; i < run->steps.count; i++) {
		const struct usual *usual = &run->steps.items[i].usual;
		const struct pipeline_step *step = &run->history.steps[i];
		const struct cell cells[] = {
			cell_text(step->name),
			cell_text(usual_text(usual)),
			cell_i64((int64_t)usual->runs_missing),
			usual->noticeable > 0 ? cell_double(usual->noticeable) : CELL_NONE,
			cell_i64((int64_t)count_ended(step, STEP_TASK_SUCCEEDED)),
			cell_i64((int64_t)count_ended(step, STEP_TASK_RUNS)),
		};

		ROW_LIST_ADD(writer, cells);
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
		cell_text(step_figure_name(unusual->kind->figure)),
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

int get_run_expected(struct request *request, struct reply *reply)
{
	CLEANUP(run_usual_clear) struct run_usual run = { 0 };
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	char id[RUN_ID_SIZE];
	struct row_writer writer;
	int rc = run_resolve(request, reply, id);

	if (rc == 0)
		rc = run_usual_read(request->server, id, HISTORY_OF_READER,
				    reader_param(&request->reader, &text), &run, &reply->error);
	if (rc)
		return rc;
	answer_begin(&writer, request, reply);
	row_field(&writer, "id", cell_text(id));
	row_field(&writer, "status", cell_text(row_text(run.history.head, "status")));
	row_field(&writer, "runs", cell_i64((int64_t)run.history.past_runs));
	write_steps(&writer, &run);
	write_unusual(&writer, &run.steps);
	row_writer_end(&writer);
	return 0;
}
