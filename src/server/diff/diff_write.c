/* SPDX-License-Identifier: Apache-2.0 */
#include "server/diff/diff_write.h"

#include <string.h>

#include "base/buffer.h"
#include "tune/diff/diff_words.h"

/* -1 and "" are "unknown". */
static struct cell number(double value)
{
	return value < 0 ? CELL_NONE : cell_double(value);
}

static struct cell text(const char *value)
{
	return cell_text(*value ? value : NULL);
}

static struct cell words(const struct buffer *said)
{
	return cell_text(said->len ? said->data : NULL);
}

static void write_head(struct row_writer *writer, const char *name,
		       const struct compared_run *compared)
{
	static const char *const TEXTS[] = { "id", "name", "pipeline", "engine", "status" };
	const struct store_rows *head = compared->head;

	row_group_begin(writer, name);
	for (size_t i = 0; i < sizeof(TEXTS) / sizeof(TEXTS[0]); i++)
		row_field(writer, TEXTS[i], text(row_text(head, TEXTS[i])));
	row_field(writer, "started_at", cell_time(row_i64(head, "started_at")));
	row_field(writer, "ended_at",
		  compared->run.running ? CELL_NONE : cell_time(row_i64(head, "ended_at")));
	row_field(writer, "wall_ns", cell_i64(compared->run.wall_ns));
	row_field(writer, "tasks", cell_i64((int64_t)compared->run.task_count));
	row_field(writer, "cpus", number(compared->run.cpus));
	row_field(writer, "slots", number(compared->run.slots));
	row_group_end(writer);
}

/* What a reader of the comparison must know. */
struct note {
	const char *words;
	bool (*applies)(const struct compared_run *run, const struct compared_run *other);
	bool once; /* about both */
};

static bool has_not_ended(const struct compared_run *run, const struct compared_run *other)
{
	return run->run.running;
}

static bool has_failed(const struct compared_run *run, const struct compared_run *other)
{
	return !run->run.running && strcmp(row_text(run->head, "status"), "succeeded") != 0;
}

static bool has_no_tasks(const struct compared_run *run, const struct compared_run *other)
{
	return run->run.task_count == 0;
}

static bool has_more(const struct compared_run *run, const struct compared_run *other)
{
	return run->list.cut;
}

static bool is_other_pipeline(const struct compared_run *run, const struct compared_run *other)
{
	return strcmp(run->run.pipeline, other->run.pipeline) != 0;
}

static const struct note NOTES[] = {
	{ "it has not ended: only its tasks that have are compared, and the time of the runs is not",
	  has_not_ended, false },
	{ "it did not succeed: what it did not do is missing on its side", has_failed, false },
	{ "it has no tasks: all of its time is that of its own processes", has_no_tasks, false },
	{ "it has more than 100,000 tasks: the last ones are left out", has_more, false },
	{ "they are runs of different pipelines", is_other_pipeline, true },
};

static void write_notes(struct row_writer *writer, const struct compared_run runs[2])
{
	static const struct row_column COLUMNS[] = { { "run_id", STORE_TEXT },
						     { "text", STORE_TEXT } };

	ROW_LIST_BEGIN(writer, "notes", COLUMNS);
	for (size_t i = 0; i < sizeof(NOTES) / sizeof(NOTES[0]); i++)
		for (size_t run = 0; run < (NOTES[i].once ? 1 : 2); run++) {
			const struct cell cells[] = { NOTES[i].once ? CELL_NONE
								    : text(runs[run].run.id),
						      cell_text(NOTES[i].words) };

			if (NOTES[i].applies(&runs[run], &runs[1 - run]))
				ROW_LIST_ADD(writer, cells);
		}
	row_list_end(writer);
}

/* step NULL: the engine. */
static void write_factors(struct row_writer *writer, const char *step, const int64_t *factors)
{
	for (enum diff_factor i = 0; i < DIFF_FACTORS; i++) {
		const struct cell cells[] = { cell_text(step), cell_text(diff_factor_key(i)),
					      cell_text(diff_factor_words(i)),
					      cell_i64(factors[i]) };

		if (factors[i])
			ROW_LIST_ADD(writer, cells);
	}
}

static void write_parts(struct row_writer *writer, const struct run_diff *diff)
{
	static const struct row_column COLUMNS[] = { { "step", STORE_TEXT },
						     { "factor", STORE_TEXT },
						     { "words", STORE_TEXT },
						     { "difference_ns", STORE_I64 } };

	ROW_LIST_BEGIN(writer, "parts", COLUMNS);
	for (size_t i = 0; i < diff->step_count; i++)
		write_factors(writer, diff->steps[i].name, diff->steps[i].factors);
	write_factors(writer, NULL, diff->engine_factors);
	row_list_end(writer);
}

static void write_engine(struct row_writer *writer, const struct run_diff *diff)
{
	row_group_begin(writer, "engine");
	row_field(writer, "from_ns", cell_i64(diff->engine[0].running_ns));
	row_field(writer, "to_ns", cell_i64(diff->engine[1].running_ns));
	row_field(writer, "difference_ns",
		  cell_i64(diff->engine[1].running_ns - diff->engine[0].running_ns));
	row_group_end(writer);
}

static bool is_compared(const struct step_diff *step)
{
	return step->state == STEP_SAME_NAME || step->state == STEP_RENAMED;
}

static struct cell change_cell(const struct figure_change *change, const char *const names[3])
{
	return change->ratio < 0 ? CELL_NONE : cell_text(names[change->toward + 1]);
}

static void write_step(struct row_writer *writer, const struct step_diff *step)
{
	static const char *const SPEEDS[] = { "faster", "same", "slower" };
	const struct figure_change *wall = &step->changes[SIDE_WALL];
	const struct step_reason *reason = &step->reason;
	bool changed = is_compared(step) && wall->ratio >= 0;
	bool reasoned = reason->kind != REASON_NONE;
	CLEANUP(buffer_clear) struct buffer said = { 0 };

	buffer_init(&said, 0);
	diff_say_reason(step, &said);
	const struct cell cells[] = {
		cell_text(step->name),
		cell_text(step->from_name),
		cell_bool(step->is_rest),
		cell_text(step_state_key(step->state)),
		cell_i64((int64_t)step->sides[0].tasks),
		cell_i64((int64_t)step->sides[1].tasks),
		cell_i64((int64_t)step->sides[0].failed),
		cell_i64((int64_t)step->sides[1].failed),
		cell_i64((int64_t)step->paths[0].tasks),
		cell_i64((int64_t)step->paths[1].tasks),
		cell_i64(step->paths[0].running_ns),
		cell_i64(step->paths[1].running_ns),
		cell_i64(step->paths[0].waiting_ns),
		cell_i64(step->paths[1].waiting_ns),
		cell_i64(step->path_ns),
		changed ? change_cell(wall, SPEEDS) : CELL_NONE,
		changed ? cell_text(finding_confidence_name(wall->confidence)) : CELL_NONE,
		cell_text(reasoned ? step_reason_key(reason->kind) : NULL),
		cell_text(reasoned ? diff_factor_key(reason->factor) : NULL),
		words(&said),
		cell_text(reasoned ? finding_confidence_name(reason->confidence) : NULL),
	};

	ROW_LIST_ADD(writer, cells);
}

static void write_steps(struct row_writer *writer, const struct run_diff *diff)
{
	static const struct row_column COLUMNS[] = {
		{ "name", STORE_TEXT },
		{ "from_name", STORE_TEXT },
		{ "is_rest", STORE_BOOL },
		{ "state", STORE_TEXT },
		{ "from_tasks", STORE_I64 },
		{ "to_tasks", STORE_I64 },
		{ "from_failed", STORE_I64 },
		{ "to_failed", STORE_I64 },
		{ "from_path_tasks", STORE_I64 },
		{ "to_path_tasks", STORE_I64 },
		{ "from_running_ns", STORE_I64 },
		{ "to_running_ns", STORE_I64 },
		{ "from_waiting_ns", STORE_I64 },
		{ "to_waiting_ns", STORE_I64 },
		{ "difference_ns", STORE_I64 },
		{ "change", STORE_TEXT },
		{ "change_confidence", STORE_TEXT },
		{ "reason_kind", STORE_TEXT },
		{ "reason_factor", STORE_TEXT },
		{ "reason", STORE_TEXT },
		{ "reason_confidence", STORE_TEXT },
	};

	ROW_LIST_BEGIN(writer, "steps", COLUMNS);
	for (size_t i = 0; i < diff->step_count; i++)
		write_step(writer, &diff->steps[i]);
	row_list_end(writer);
}

static void write_figure(struct row_writer *writer, const struct step_diff *step,
			 enum side_figure figure)
{
	static const char *const CHANGES[] = { "less", "same", "more" };
	const struct side_values *from = &step->sides[0].figures[figure];
	const struct side_values *to = &step->sides[1].figures[figure];
	const struct figure_change *change = &step->changes[figure];
	bool compared = is_compared(step) && from->count && to->count;
	const struct cell cells[] = {
		cell_text(step->name),
		cell_text(side_figure_key(figure)),
		from->count ? cell_double(from->median) : CELL_NONE,
		to->count ? cell_double(to->median) : CELL_NONE,
		from->count ? cell_double(from->sum) : CELL_NONE,
		to->count ? cell_double(to->sum) : CELL_NONE,
		from->count ? cell_double(from->most) : CELL_NONE,
		to->count ? cell_double(to->most) : CELL_NONE,
		compared ? change_cell(change, CHANGES) : CELL_NONE,
		compared ? cell_text(finding_confidence_name(change->confidence)) : CELL_NONE,
	};

	if (from->count || to->count)
		ROW_LIST_ADD(writer, cells);
}

static void write_figures(struct row_writer *writer, const struct run_diff *diff)
{
	static const struct row_column COLUMNS[] = {
		{ "step", STORE_TEXT },          { "figure", STORE_TEXT },
		{ "from_median", STORE_DOUBLE }, { "to_median", STORE_DOUBLE },
		{ "from_sum", STORE_DOUBLE },    { "to_sum", STORE_DOUBLE },
		{ "from_most", STORE_DOUBLE },   { "to_most", STORE_DOUBLE },
		{ "change", STORE_TEXT },        { "confidence", STORE_TEXT },
	};

	ROW_LIST_BEGIN(writer, "figures", COLUMNS);
	for (size_t i = 0; i < diff->step_count; i++)
		for (enum side_figure figure = 0; figure < SIDE_FIGURES; figure++)
			write_figure(writer, &diff->steps[i], figure);
	row_list_end(writer);
}

static void write_fact(struct row_writer *writer, const struct step_diff *step, size_t i)
{
	static const char *const TOWARDS[] = { "faster", NULL, "slower" };
	const struct step_fact *fact = &step->facts[i];
	bool is_text = step_fact_unit(fact->kind) == FACT_TEXT;
	CLEANUP(buffer_clear) struct buffer said = { 0 };

	buffer_init(&said, 0);
	diff_say_fact(fact, &said);
	const struct cell cells[] = {
		cell_text(step->name),
		cell_text(step_fact_key(fact->kind)),
		is_text ? cell_text(fact->from_text) : CELL_NONE,
		is_text ? cell_text(fact->to_text) : CELL_NONE,
		is_text ? CELL_NONE : cell_double(fact->from),
		is_text ? CELL_NONE : cell_double(fact->to),
		cell_text(TOWARDS[fact->toward + 1]),
		words(&said),
		cell_bool(step->reason.fact == i || step->reason.second == i),
	};

	ROW_LIST_ADD(writer, cells);
}

static void write_facts(struct row_writer *writer, const struct run_diff *diff)
{
	static const struct row_column COLUMNS[] = {
		{ "step", STORE_TEXT },    { "fact", STORE_TEXT },   { "from_text", STORE_TEXT },
		{ "to_text", STORE_TEXT }, { "from", STORE_DOUBLE }, { "to", STORE_DOUBLE },
		{ "toward", STORE_TEXT },  { "words", STORE_TEXT },  { "is_reason", STORE_BOOL },
	};

	ROW_LIST_BEGIN(writer, "differs", COLUMNS);
	for (size_t i = 0; i < diff->step_count; i++)
		for (size_t k = 0; k < diff->steps[i].fact_count; k++)
			write_fact(writer, &diff->steps[i], k);
	row_list_end(writer);
}

void diff_write(struct row_writer *writer, const struct run_diff *diff,
		const struct compared_run runs[2])
{
	CLEANUP(buffer_clear) struct buffer said = { 0 };

	buffer_init(&said, 0);
	run_diff_say(diff, &said);
	write_head(writer, "from", &runs[0]);
	write_head(writer, "to", &runs[1]);
	row_field(writer, "summary", words(&said));
	row_field(writer, "difference_ns", diff->timed ? cell_i64(diff->difference_ns) : CELL_NONE);
	write_notes(writer, runs);
	write_engine(writer, diff);
	write_parts(writer, diff);
	write_steps(writer, diff);
	write_figures(writer, diff);
	write_facts(writer, diff);
}
