/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "server/api/handlers.h"
#include "server/query/run.h"
#include "server/replay/replay_source.h"
#include "server/replay/whatif_ask_read.h"
#include "server/rows/answer.h"

/* What a run would have taken otherwise (tune/replay/whatif.h). */

struct writing {
	struct row_writer *writer;
	const struct replay_source *source;
	const struct whatif_ask *ask;
	const struct whatif *whatif;
};

static struct cell seconds_cell(double ns)
{
	return cell_double(ns / (double)NS_PER_S);
}

/* 0 and infinity: no value. */
static struct cell some_cell(double number)
{
	return number > 0 && isfinite(number) ? cell_double(number) : CELL_NONE;
}

static struct cell bytes_cell(double bytes)
{
	return bytes > 0 ? cell_i64((int64_t)bytes) : CELL_NONE;
}

/* The host's price for that time, by the cores of it; cores 0: of all. */
static struct cell cost_cell(const struct writing *writing, double ns, double cores)
{
	double usd_hour = writing->source->usd_hour;
	double part = cores > 0 ? cores / writing->source->run.host_cpus : 1;

	if (!cost_is_known(usd_hour) || ns <= 0)
		return CELL_NONE;
	return cell_double(part * cost_usd(cost_nusd(usd_hour, (uint64_t)ns)));
}

static void write_measured(const struct writing *writing)
{
	const struct whatif *whatif = writing->whatif;
	const struct replay_run *run = &writing->source->run;
	struct row_writer *writer = writing->writer;
	double ns = (double)(run->ended_at - run->began_at);

	row_group_begin(writer, "measured");
	row_field(writer, "wall_s", seconds_cell(ns));
	row_field(writer, "host_cpus", some_cell(run->host_cpus));
	row_field(writer, "host_memory_bytes", bytes_cell(run->host_memory_bytes));
	row_field(writer, "cores", some_cell(whatif->measured_cores));
	row_field(writer, "cores_inferred", cell_bool(whatif->cores_inferred));
	row_field(writer, "slots", some_cell(whatif->measured_slots));
	row_field(writer, "replayed_s",
		  whatif->replayed_ns > 0 ? seconds_cell(whatif->replayed_ns) : CELL_NONE);
	row_field(writer, "cost_usd", cost_cell(writing, ns, 0));
	row_field(writer, "price_usd_hour", some_cell(writing->source->usd_hour));
	row_group_end(writer);
}

static void write_asked(const struct writing *writing)
{
	static const struct row_column COLUMNS[] = { { "name", STORE_TEXT },
						     { "factor", STORE_DOUBLE } };
	const struct whatif_ask *ask = writing->ask;
	struct row_writer *writer = writing->writer;

	row_group_begin(writer, "asked");
	row_field(writer, "cores", some_cell(ask->cores));
	row_field(writer, "memory_bytes", bytes_cell(ask->memory_bytes));
	row_field(writer, "slots", some_cell(ask->slots));
	row_field(writer, "no_queue", cell_bool(ask->no_queue));
	ROW_LIST_BEGIN(writer, "steps", COLUMNS);
	for (size_t i = 0; i < ask->step_count; i++) {
		const struct cell cells[] = { cell_text(ask->steps[i].step),
					      cell_double(ask->steps[i].factor) };

		ROW_LIST_ADD(writer, cells);
	}
	row_list_end(writer);
	row_group_end(writer);
}

static void write_spread(const struct writing *writing)
{
	const struct whatif_spread *spread = &writing->whatif->spread;
	struct row_writer *writer = writing->writer;

	row_group_begin(writer, "spread");
	row_field(writer, "runs", cell_double(spread->runs));
	row_field(writer, "runs_seen", cell_i64((int64_t)spread->runs_seen));
	row_field(writer, "calibration", cell_double(spread->calibration));
	row_field(writer, "unknown", cell_double(spread->unknown));
	row_field(writer, "cores", cell_double(spread->cores));
	row_group_end(writer);
}

static void write_predicted(const struct writing *writing)
{
	const struct whatif *whatif = writing->whatif;
	struct row_writer *writer = writing->writer;

	if (*whatif->refused) {
		row_field(writer, "predicted", CELL_NONE);
		return;
	}
	row_group_begin(writer, "predicted");
	row_field(writer, "wall_s", seconds_cell(whatif->wall_ns));
	row_field(writer, "wall_low_s", seconds_cell(whatif->low_ns));
	row_field(writer, "wall_high_s", seconds_cell(whatif->high_ns));
	row_field(writer, "cores", cell_double(whatif->cores));
	row_field(writer, "slots", some_cell(whatif->slots));
	row_field(writer, "memory_peak_bytes", bytes_cell(whatif->memory_peak_bytes));
	row_field(writer, "cost_usd", cost_cell(writing, whatif->wall_ns, whatif->cores));
	row_field(writer, "cost_low_usd", cost_cell(writing, whatif->low_ns, whatif->cores));
	row_field(writer, "cost_high_usd", cost_cell(writing, whatif->high_ns, whatif->cores));
	write_spread(writing);
	row_group_end(writer);
}

static void write_steps(const struct writing *writing)
{
	static const struct row_column COLUMNS[] = {
		{ "name", STORE_TEXT },
		{ "tasks", STORE_I64 },
		{ "saves_s", STORE_DOUBLE },
	};
	struct row_writer *writer = writing->writer;

	ROW_LIST_BEGIN(writer, "steps", COLUMNS);
	for (size_t i = 0; i < writing->whatif->gain_count; i++) {
		const struct whatif_gain *gain = &writing->whatif->gains[i];
		const struct cell cells[] = { cell_text(gain->step), cell_i64((int64_t)gain->tasks),
					      seconds_cell(gain->saves_ns) };

		ROW_LIST_ADD(writer, cells);
	}
	row_list_end(writer);
}

static void write_tasks(const struct writing *writing, size_t most)
{
	static const struct row_column COLUMNS[] = {
		{ "id", STORE_TEXT },
		{ "step", STORE_TEXT },
		{ "name", STORE_TEXT },
		{ "began_s", STORE_DOUBLE },
		{ "ended_s", STORE_DOUBLE },
		{ "predicted_began_s", STORE_DOUBLE },
		{ "predicted_ended_s", STORE_DOUBLE },
	};
	const struct replay_run *run = &writing->source->run;
	struct row_writer *writer = writing->writer;

	ROW_LIST_BEGIN(writer, "tasks", COLUMNS);
	for (size_t i = 0; writing->whatif->spans && i < run->task_count && i < most; i++) {
		const struct replay_task *task = &run->tasks[i];
		const struct whatif_span *span = &writing->whatif->spans[i];
		bool ran = replay_task_ran(task);
		const struct cell cells[] = {
			cell_text(task->id),
			cell_text(task->step),
			cell_text(task->name),
			ran ? cell_seconds(task->started_at - run->began_at) : CELL_NONE,
			ran ? cell_seconds(task->ended_at - run->began_at) : CELL_NONE,
			ran ? seconds_cell(span->begin_ns) : CELL_NONE,
			ran ? seconds_cell(span->end_ns) : CELL_NONE,
		};

		ROW_LIST_ADD(writer, cells);
	}
	row_list_end(writer);
}

static void write_notes(const struct writing *writing)
{
	static const struct row_column COLUMNS[] = { { "text", STORE_TEXT } };
	struct row_writer *writer = writing->writer;

	ROW_LIST_BEGIN(writer, "assumptions", COLUMNS);
	for (size_t i = 0; i < writing->whatif->note_count; i++) {
		const struct cell cells[] = { cell_text(writing->whatif->notes[i]) };

		ROW_LIST_ADD(writer, cells);
	}
	row_list_end(writer);
}

static void write_answer(const struct writing *writing, size_t most)
{
	const char *refused = writing->whatif->refused;

	row_field(writing->writer, "refused", cell_text(*refused ? refused : NULL));
	write_measured(writing);
	write_asked(writing);
	write_predicted(writing);
	write_steps(writing);
	write_tasks(writing, most);
	write_notes(writing);
}

int get_run_whatif(struct request *request, struct reply *reply)
{
	CLEANUP(replay_source_clear) struct replay_source source = { 0 };
	CLEANUP(whatif_clear) struct whatif whatif = { 0 };
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	struct whatif_request asked;
	char id[RUN_ID_SIZE];
	struct row_writer writer;
	int rc = whatif_ask_read(request, &asked, &reply->error);

	if (rc == 0)
		rc = run_resolve(request, reply, id);
	if (rc == 0)
		rc = replay_source_read(&source, request->server, id,
					reader_param(&request->reader, &text), &reply->error);
	if (rc == 0)
		rc = whatif_find(&source.run, &asked.ask, &whatif);
	if (rc)
		return rc;
	answer_begin(&writer, request, reply);
	write_answer(&(struct writing){ &writer, &source, &asked.ask, &whatif },
		     (size_t)request_number(request, "limit"));
	row_writer_end(&writer);
	return 0;
}
