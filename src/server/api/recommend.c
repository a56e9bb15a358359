/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "server/api/handlers.h"
#include "server/query/run.h"
#include "server/recommend/candidate_notes.h"
#include "server/recommend/known_names.h"
#include "server/recommend/recommend_assumptions.h"
#include "server/recommend/recommend_source.h"
#include "server/rows/answer.h"

/* GET /api/v1/recommend: which machines to rent for what was measured. */

struct answering {
	struct row_writer *writer;
	const struct recommend_source *source;
	const struct recommend_request *request;
	const struct machine_offers *offers;
	const struct recommendation *found;
	const char *run_id;
};

static struct cell seconds_cell(double ns)
{
	return cell_double(ns / (double)NS_PER_S);
}

static struct cell some_cell(const char *text)
{
	return cell_text(*text ? text : NULL);
}

static struct cell bytes_cell(double bytes)
{
	return bytes < 0 ? CELL_NONE : cell_i64((int64_t)bytes);
}

static void write_measured(const struct answering *answering)
{
	const struct recommend_source *source = answering->source;
	const struct measured_host *measured = &source->measured;
	struct row_writer *writer = answering->writer;

	row_group_begin(writer, "measured");
	row_field(writer, "provider", some_cell(measured->machine.provider));
	row_field(writer, "type", some_cell(measured->machine.type));
	row_field(writer, "region", some_cell(measured->region));
	row_field(writer, "purchase", some_cell(measured->purchase));
	row_field(writer, "arch", some_cell(measured->machine.arch));
	row_field(writer, "hosts", cell_i64((int64_t)source->measured_hosts));
	row_field(writer, "cpus", cell_double(measured->machine.cpus));
	row_field(writer, "memory_bytes", bytes_cell(measured->machine.memory_bytes));
	row_field(writer, "wall_s", seconds_cell(source->measured_wall_ns));
	row_field(writer, "cost_usd",
		  source->measured_usd < 0 ? CELL_NONE : cell_double(source->measured_usd));
	row_group_end(writer);
}

static void write_run(const struct answering *answering)
{
	const struct store_rows *rows = answering->source->run.run_rows;
	struct row_writer *writer = answering->writer;

	if (!rows) {
		row_field(writer, "run", CELL_NONE);
		return;
	}
	row_group_begin(writer, "run");
	row_field(writer, "id", cell_text(answering->run_id));
	row_field(writer, "name", some_cell(row_text(rows, "name")));
	row_field(writer, "pipeline", some_cell(row_text(rows, "pipeline")));
	row_field(writer, "status", some_cell(row_text(rows, "status")));
	row_group_end(writer);
}

static void write_work(const struct answering *answering)
{
	struct row_writer *writer = answering->writer;
	size_t runs = answering->source->runs;

	write_run(answering);
	row_field(writer, "pipeline", cell_text(answering->request->pipeline));
	row_field(writer, "runs", runs ? cell_i64((int64_t)runs) : CELL_NONE);
}

/* What was asked for goes first. */
static const char *choice_of(const struct recommend_candidate *candidate)
{
	static const enum recommend_mark ORDER[] = { RECOMMEND_IN_TIME, RECOMMEND_BELOW,
						     RECOMMEND_CHEAPEST, RECOMMEND_FASTEST };

	for (size_t i = 0; i < sizeof(ORDER) / sizeof(ORDER[0]); i++)
		if (candidate->marks & 1u << ORDER[i])
			return recommend_mark_name(ORDER[i]);
	return NULL;
}

static const char *choices_of(const struct recommend_candidate *candidate, char text[128])
{
	int len = 0;

	*text = '\0';
	for (int i = 0; i < RECOMMEND_MARKS; i++)
		if (candidate->marks & 1u << i)
			len += snprintf(text + len, 128 - (size_t)len, "%s%s", len ? "," : "",
					recommend_mark_name(i));
	return text;
}

static const struct row_column COLUMNS[] = {
	{ "provider", STORE_TEXT },
	{ "type", STORE_TEXT },
	{ "family", STORE_TEXT },
	{ "region", STORE_TEXT },
	{ "purchase", STORE_TEXT },
	{ "hosts", STORE_I64 },
	{ "cpus", STORE_DOUBLE },
	{ "memory_bytes", STORE_I64 },
	{ "arch", STORE_TEXT },
	{ "usd_hour", STORE_DOUBLE },
	{ "price_exact", STORE_BOOL },
	{ "wall_s", STORE_DOUBLE },
	{ "wall_low_s", STORE_DOUBLE },
	{ "wall_high_s", STORE_DOUBLE },
	{ "cost_usd", STORE_DOUBLE },
	{ "cost_low_usd", STORE_DOUBLE },
	{ "cost_high_usd", STORE_DOUBLE },
	{ "front", STORE_BOOL },
	{ "choice", STORE_TEXT },
	{ "choices", STORE_TEXT },
	{ "memory_headroom", STORE_DOUBLE },
	{ "memory_peak_bytes", STORE_I64 },
	{ "interruption", STORE_TEXT },
	{ "interruption_loss_s", STORE_DOUBLE },
	{ "move_bytes", STORE_I64 },
	{ "same_arch", STORE_BOOL },
	{ "notes", STORE_JSON },
};

static void write_candidate(const struct answering *answering,
			    const struct recommend_candidate *candidate, struct buffer *notes)
{
	const struct recommend_offer *offer = &answering->offers->offers[candidate->offer];
	const struct recommend_machine *machine = &answering->offers->machines[offer->machine];
	const struct recommend_span *wall = &candidate->wall_ns, *usd = &candidate->usd;
	char choices[128];

	buffer_reset(notes);
	candidate_notes_json(candidate, machine, offer, notes);
	const struct cell cells[] = {
		some_cell(machine->provider),
		cell_text(machine->type),
		some_cell(machine->family),
		some_cell(offer->region),
		some_cell(offer->purchase),
		cell_i64((int64_t)candidate->hosts),
		cell_double(machine->cpus),
		bytes_cell(machine->memory_bytes),
		some_cell(machine->arch),
		cell_double(offer->usd_hour),
		cell_bool(offer->exact),
		seconds_cell(wall->likely),
		seconds_cell(wall->low),
		seconds_cell(wall->high),
		cell_double(usd->likely),
		cell_double(usd->low),
		cell_double(usd->high),
		cell_bool(candidate->front),
		cell_text(choice_of(candidate)),
		some_cell(choices_of(candidate, choices)),
		candidate->placement.memory_peak_bytes < 0
			? CELL_NONE
			: cell_double(candidate->memory_headroom),
		bytes_cell(candidate->placement.memory_peak_bytes),
		some_cell(offer->interruption),
		offer->taken_back ? seconds_cell(candidate->loss_ns) : CELL_NONE,
		bytes_cell(candidate->move_bytes),
		*machine->arch && *answering->source->measured.machine.arch
			? cell_bool(!(candidate->doubts & 1u << DOUBT_ARCH))
			: CELL_NONE,
		notes->failed ? CELL_NONE : cell_json(notes->data),
	};

	ROW_LIST_ADD(answering->writer, cells);
}

static void write_candidates(const struct answering *answering)
{
	CLEANUP(buffer_clear) struct buffer notes = { 0 };

	buffer_init(&notes, 0);
	ROW_LIST_BEGIN(answering->writer, "candidates", COLUMNS);
	for (size_t i = 0; i < answering->found->count; i++)
		write_candidate(answering, &answering->found->candidates[i], &notes);
	row_list_end(answering->writer);
}

static void write_front(const struct answering *answering)
{
	CLEANUP(buffer_clear) struct buffer text = { 0 };

	buffer_init(&text, 0);
	buffer_append_char(&text, '[');
	for (size_t i = 0; i < answering->found->front_count; i++)
		buffer_printf(&text, "%s%zu", i ? "," : "", i);
	buffer_append_char(&text, ']');
	row_field(answering->writer, "front", text.failed ? CELL_NONE : cell_json(text.data));
}

static void write_assumption(void *context, const char *text)
{
	const struct cell cells[] = { cell_text(text) };

	ROW_LIST_ADD((struct row_writer *)context, cells);
}

static void write_answer(const struct answering *answering)
{
	static const struct row_column ASSUMPTION[] = { { "text", STORE_TEXT } };
	struct row_writer *writer = answering->writer;
	write_work(answering);
	write_measured(answering);
	row_field(writer, "refused", some_cell(answering->source->refused));
	write_candidates(answering);
	write_front(answering);
	ROW_LIST_BEGIN(writer, "assumptions", ASSUMPTION);
	recommend_assumptions(answering->source, answering->request, answering->offers,
			      answering->found, write_assumption, writer);
	row_list_end(writer);
}

static int find(const struct recommend_source *source, const struct recommend_request *request,
		struct machine_offers *offers, struct recommendation *ret)
{
	const struct recommend_ask ask = {
		.measured = source->measured.machine,
		.region = source->measured.region,
		.within_ns = request->within_s * (double)NS_PER_S,
		.below_usd = request->below_usd,
		.input_bytes = source->input_bytes,
		.limit = request->limit,
	};
	int rc;

	if (*source->refused)
		return 0;
	rc = machine_offers_make(offers, request, &source->measured);
	return rc ? rc
		  : recommend_find(&source->work, &ask, offers->machines, offers->machine_count,
				   offers->offers, offers->offer_count, ret);
}

/* The run that is asked for. */
static int read_run(struct recommend_source *source, struct request *request,
		    const struct recommend_request *asked, const char *reader, struct reply *reply,
		    char id[RUN_ID_SIZE])
{
	struct error *err = &reply->error;
	size_t runs = 0;
	int rc = asked->pipeline ? recommend_median_run(request->server, asked->pipeline, reader,
							id, RUN_ID_SIZE, &runs, err)
				 : run_resolve_named(request, asked->run, reply, id);

	if (rc == 0)
		rc = recommend_source_of_run(source, request->server, asked, id, reader, err);
	source->runs = runs;
	return rc;
}

int get_recommend(struct request *request, struct reply *reply)
{
	CLEANUP(recommend_source_clear) struct recommend_source source = { 0 };
	CLEANUP(machine_offers_clear) struct machine_offers offers = { 0 };
	CLEANUP(recommendation_clear) struct recommendation found = { 0 };
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	const char *reader = reader_param(&request->reader, &text);
	int64_t now = clock_real_ns();
	struct recommend_request asked;
	char id[RUN_ID_SIZE];
	struct row_writer writer;
	int rc = recommend_request_read(request, now, &asked, &reply->error);

	if (rc == 0)
		rc = known_names_check(&asked, &reply->error);
	if (rc == 0)
		rc = asked.run || asked.pipeline
			     ? read_run(&source, request, &asked, reader, reply, id)
			     : recommend_source_of_fleet(&source, request->server, &asked, now,
							 reader, &reply->error);
	if (rc == 0)
		rc = find(&source, &asked, &offers, &found);
	if (rc)
		return rc;
	answer_begin(&writer, request, reply);
	write_answer(&(struct answering){ &writer, &source, &asked, &offers, &found, id });
	row_writer_end(&writer);
	return 0;
}
