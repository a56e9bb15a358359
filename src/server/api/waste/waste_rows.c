/* SPDX-License-Identifier: Apache-2.0 */
#include "server/api/waste/waste_rows.h"

#include <math.h>
#include <string.h>

#include "cost/price.h"
#include "server/query/query.h"
#include "server/sweep/sweeper.h"
#include "sweep/sweep.h"

/* A waste as it is shown; NULL: no value. */
struct shown {
	const char *kind, *subject, *id, *name, *host_id, *run_id, *task_id, *who;
	const char *confidence, *summary, *evidence, *advice, *command;
	const char *outcome; /* NULL: it goes on */
	int64_t since_at, found_at, ended_at;
	int64_t nusd_hour, counted_nusd; /* < 0: unknown */
	int64_t saved_nusd;              /* < 0: not counted */
	double paid_share;               /* of struct waste */
};

void waste_rows_begin(struct waste_list *list)
{
	static const struct row_column COLUMNS[] = {
		{ "kind", STORE_TEXT },         { "title", STORE_TEXT },
		{ "subject", STORE_TEXT },      { "id", STORE_TEXT },
		{ "name", STORE_TEXT },         { "host_id", STORE_TEXT },
		{ "run_id", STORE_TEXT },       { "task_id", STORE_TEXT },
		{ "who", STORE_TEXT },          { "since_at", STORE_TIME },
		{ "found_at", STORE_TIME },     { "ended_at", STORE_TIME },
		{ "lasted_s", STORE_DOUBLE },   { "outcome", STORE_TEXT },
		{ "usd_hour", STORE_DOUBLE },   { "counted", STORE_BOOL },
		{ "wasted_usd", STORE_DOUBLE }, { "saved_usd", STORE_DOUBLE },
		{ "confidence", STORE_TEXT },   { "summary", STORE_TEXT },
		{ "evidence", STORE_JSON },     { "advice", STORE_TEXT },
		{ "command", STORE_TEXT },
	};

	ROW_LIST_BEGIN(list->writer, "waste", COLUMNS);
}

void waste_rows_end(struct waste_list *list)
{
	row_list_end(list->writer);
}

static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = list; at && *at;) {
		size_t item = strcspn(at, ",");

		if (item == len && memcmp(at, word, len) == 0)
			return true;
		at += item;
		at += strspn(at, ", ");
	}
	return false;
}

static bool is_wanted(const struct waste_list *list, const struct shown *shown)
{
	if (list->kind && strcmp(list->kind, shown->kind) != 0)
		return false;
	if (list->user && !has_word(shown->who, list->user))
		return false;
	return !list->host || (shown->host_id && strcmp(list->host, shown->host_id) == 0) ||
	       strcmp(list->host, shown->name) == 0;
}

static struct cell usd_cell(int64_t nusd)
{
	return nusd < 0 ? CELL_NONE : cell_double(cost_usd(nusd));
}

/* What it costs from its begin, or that of the time, to its end. */
static int64_t wasted(const struct waste_list *list, const struct shown *shown, int64_t nusd_hour)
{
	int64_t since = shown->since_at > list->since_at ? shown->since_at : list->since_at;

	int64_t nusd =
		waste_nusd(nusd_hour, since, shown->ended_at ? shown->ended_at : list->now_at);

	return nusd < 0 ? -1 : llround((double)nusd * shown->paid_share);
}

/* What an exemption leaves out is no waste, and was none: who wrote it says so. */
static bool is_silenced(const struct shown *shown)
{
	return shown->outcome && strcmp(shown->outcome, waste_outcome_name(WASTE_SILENCED)) == 0;
}

static void add_up(struct waste_list *list, const struct shown *shown)
{
	list->count++;
	list->open += !shown->ended_at;
	if (shown->nusd_hour < 0) {
		list->unpriced += !shown->ended_at;
		return;
	}
	if (!shown->ended_at)
		list->nusd_hour += shown->counted_nusd;
	if (!is_silenced(shown) && !waste_is_cheaper(shown->kind))
		list->wasted_nusd += wasted(list, shown, shown->counted_nusd);
	if (shown->saved_nusd > 0)
		list->saved_nusd += shown->saved_nusd;
}

static void write_row(struct waste_list *list, const struct shown *shown)
{
	const char *title = waste_title(shown->kind);

	if (!is_wanted(list, shown))
		return;
	add_up(list, shown);
	if (list->count > list->limit)
		return;
	const struct cell cells[] = {
		cell_text(shown->kind),
		cell_text(title ? title : shown->kind),
		cell_text(shown->subject),
		cell_text(shown->id),
		cell_text(shown->name),
		cell_text(shown->host_id),
		cell_text(shown->run_id),
		cell_text(shown->task_id),
		cell_text(shown->who),
		cell_time(shown->since_at),
		cell_time(shown->found_at),
		cell_time(shown->ended_at),
		cell_seconds((shown->ended_at ? shown->ended_at : list->now_at) - shown->since_at),
		cell_text(shown->outcome),
		usd_cell(shown->nusd_hour),
		cell_bool(shown->counted_nusd == shown->nusd_hour),
		usd_cell(wasted(list, shown, shown->nusd_hour)),
		usd_cell(shown->saved_nusd),
		cell_text(shown->confidence),
		cell_text(shown->summary),
		cell_json(shown->evidence),
		cell_text(shown->advice),
		cell_text(shown->command),
	};

	ROW_LIST_ADD(list->writer, cells);
}

void waste_rows_found(struct waste_list *list, const struct sweep_view *view)
{
	for (size_t i = 0; i < view->wastes->count; i++) {
		const struct waste *waste = &view->wastes->items[i];
		struct waste_open open = { waste->since_at, 0 };

		if (view->record)
			(void)sweep_record_find(view->record, waste, &open);
		write_row(list, &(struct shown){
					.kind = waste->kind,
					.subject = waste_subject_name(waste->subject),
					.id = waste->id,
					.name = waste->name,
					.host_id = waste->host_id,
					.run_id = waste->run_id,
					.task_id = waste->task_id,
					.who = waste->who,
					.confidence = finding_confidence_name(waste->confidence),
					.summary = waste->summary,
					.evidence = waste->evidence,
					.advice = waste->advice,
					.command = waste->command,
					.since_at = open.since_at,
					.found_at = open.found_at,
					.nusd_hour = waste->nusd_hour,
					.counted_nusd = waste_counted_nusd(waste),
					.saved_nusd = -1,
					.paid_share = waste->paid_share,
				});
	}
}

static const char *text_or_null(const struct store_rows *rows, const char *column)
{
	const char *text = row_text(rows, column);

	return *text ? text : NULL;
}

static int64_t nusd_of(const struct store_rows *rows, const char *column)
{
	return row_is_null(rows, column) ? -1 : (int64_t)llround(row_double(rows, column) * 1e9);
}

/* From its end until its host was up again, for a month at most; of what is not paid any more. */
static int64_t saved(const struct waste_list *list, const struct store_rows *rows,
		     const struct shown *shown)
{
	int64_t until = shown->ended_at + WASTE_SAVING_NS, up_again = row_i64(rows, "up_again_at");

	if (strcmp(shown->outcome, waste_outcome_name(WASTE_STOPPED)) != 0)
		return -1;
	if (up_again && up_again < until)
		until = up_again;
	if (list->now_at < until)
		until = list->now_at;
	return waste_nusd(shown->counted_nusd, shown->ended_at, until);
}

static bool is_found(const struct sweep_view *view, const struct shown *shown)
{
	for (size_t i = 0; i < view->wastes->count; i++) {
		const struct waste *waste = &view->wastes->items[i];

		if (strcmp(waste->id, shown->id) == 0 && strcmp(waste->kind, shown->kind) == 0)
			return true;
	}
	return false;
}

/* Until its host was alive last: whether it goes on since is not known. */
static void be_silent(struct shown *shown, const struct store_rows *rows)
{
	int64_t seen_at = row_i64(rows, "host_seen_at");

	shown->outcome = "silent";
	shown->saved_nusd = -1;
	shown->ended_at = seen_at > shown->since_at ? seen_at : shown->since_at;
}

void waste_rows_kept(struct waste_list *list, struct store_rows *rows,
		     const struct sweep_view *view, bool ended)
{
	while (store_next(rows)) {
		struct shown shown = {
			.kind = row_text(rows, "kind"),
			.subject = row_text(rows, "subject"),
			.id = row_text(rows, "id"),
			.name = row_text(rows, "name"),
			.host_id = text_or_null(rows, "host_id"),
			.run_id = text_or_null(rows, "run_id"),
			.task_id = text_or_null(rows, "task_id"),
			.who = text_or_null(rows, "who"),
			.confidence = row_text(rows, "confidence"),
			.summary = row_text(rows, "summary"),
			.evidence = row_text(rows, "evidence"),
			.advice = text_or_null(rows, "advice"),
			.command = text_or_null(rows, "command"),
			.outcome = row_text(rows, "outcome"),
			.since_at = row_i64(rows, "since_at"),
			.found_at = row_i64(rows, "found_at"),
			.ended_at = row_i64(rows, "ended_at"),
			.nusd_hour = nusd_of(rows, "usd_hour"),
			.counted_nusd = nusd_of(rows, "counted_usd_hour"),
			.paid_share = row_double(rows, "paid_share"),
		};

		if (shown.ended_at ? !ended : is_found(view, &shown))
			continue;
		if (shown.ended_at)
			shown.saved_nusd = saved(list, rows, &shown);
		else
			be_silent(&shown, rows);
		write_row(list, &shown);
	}
}
