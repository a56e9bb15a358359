/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cost/price.h"
#include "server/api/handlers.h"
#include "server/api/cost/run_cost_write.h"
#include "server/billing/kept_cost.h"
#include "server/query/beside.h"
#include "server/query/run.h"
#include "server/query/run_wall.h"
#include "server/rows/answer.h"
#include "server/rows/query_rows.h"

/* GET /api/v1/runs/{run}: the run, its totals, its steps and its cost. */

static struct cell usd_cell(bool known, int64_t nusd)
{
	return known ? cell_double(cost_usd(nusd)) : CELL_NONE;
}

/* The costs of a run. */
struct run_sheet {
	struct sheet *sheet;
	size_t run; /* SIZE_MAX: not in it */
	struct run_cost cost;
	struct cost_change *changes; /* since it settled */
	size_t change_count;
};

static void run_sheet_clear(struct run_sheet *costs)
{
	sheet_free(costs->sheet);
	free(costs->changes);
}

/* What add_step needs. */
struct step_context {
	const struct run_sheet *costs;
	const struct run_wall *walls;
};

static void add_step(const struct store_rows *rows, void *context_, struct cell *cells)
{
	const struct step_context *context = context_;
	const struct sheet *sheet = context->costs->sheet;
	const char *step = row_text(rows, "name");
	struct wall wall = run_wall_step(context->walls, step);
	bool priced = context->costs->cost.priced;
	int64_t nusd = 0;

	for (size_t i = 0; i < sheet->task_count; i++)
		if (sheet->tasks[i].run == context->costs->run && *sheet->tasks[i].id &&
		    strcmp(sheet->tasks[i].step, step) == 0)
			nusd += cost_part_sum(&sheet->tasks[i].part);
	cells[0] = usd_cell(priced, nusd);
	run_wall_cells(&wall, cells + 1);
}

static const struct row_column WALL[] = { RUN_WALL_COLUMNS };

static void add_wall(const struct store_rows *rows, void *wall, struct cell *cells)
{
	run_wall_cells(wall, cells);
}

static void write_with_wall(struct row_writer *writer, const struct store_rows *rows, size_t from,
			    struct wall wall)
{
	query_rows_fields(writer, rows, from, store_columns(rows),
			  &(struct row_extra){ WALL, RUN_WALL_COUNT, add_wall, &wall });
}

/* The resources that the tasks of the run used, and those that its engine used: no value where
 * nothing ran there. */
static void write_shares(struct row_writer *writer, struct store_rows *shares,
			 const struct run_wall *walls)
{
	static const char *const KEYS[] = { "tasks", "engine" };
	bool left = store_next(shares);

	row_group_begin(writer, "shares");
	for (size_t i = 0; i < 2; i++) {
		if (!left || row_bool(shares, "of_tasks") != (i == 0)) {
			row_field(writer, KEYS[i], CELL_NONE);
			continue;
		}
		row_group_begin(writer, KEYS[i]);
		write_with_wall(writer, shares, 1,
				i == 0 ? run_wall_step(walls, NULL) : *run_wall_engine(walls));
		row_group_end(writer);
		left = store_next(shares);
	}
	row_group_end(writer);
}

/* The rows of the queries about one run. */
struct run_rows {
	struct store_rows *run, *shares, *steps;
	struct run_wall *walls;
};

static void run_rows_clear(struct run_rows *rows)
{
	store_rows_free(rows->run);
	store_rows_free(rows->shares);
	store_rows_free(rows->steps);
	run_wall_put(rows->walls);
}

static int run_rows_query(struct server *server, const char *id, struct run_rows *rows,
			  struct error *err)
{
	int rc = run_query_row(server, "run", id, &rows->run, err);

	return rc ? rc : run_wall_get(&rows->walls, server, id, err);
}

/* The other parts of the answer, of which none needs another. */
struct parts {
	struct server *server;
	const char *id;
	struct run_rows *rows;
	struct run_sheet *costs;
};

static int make_costs(void *context, struct error *err)
{
	struct parts *parts = context;

	struct run_sheet *costs = parts->costs;
	int rc = run_sheet(parts->server, parts->id, &costs->sheet, err);

	if (rc)
		return rc;
	costs->run = sheet_run(costs->sheet, parts->id);
	costs->cost = run_cost_of(costs->sheet, costs->run);
	return kept_cost_changes(parts->server, parts->id, &costs->cost, &costs->changes,
				 &costs->change_count, err);
}

static int query_steps(void *context, struct error *err)
{
	struct parts *parts = context;
	const struct store_param params[] = { PARAM_TEXT("run", parts->id) };
	int rc = QUERY(parts->server, "shares", params, &parts->rows->shares, err);

	return rc ? rc : QUERY(parts->server, "steps", params, &parts->rows->steps, err);
}

static void write_steps(struct row_writer *writer, struct store_rows *steps,
			struct step_context *context)
{
	static const struct row_column MORE[] = { { "cost_usd", STORE_DOUBLE }, RUN_WALL_COLUMNS };

	query_rows_list(writer, "steps", steps,
			&(struct row_extra){ MORE, 1 + RUN_WALL_COUNT, add_step, context });
}

/* That of its tasks; of a run without tasks, of its processes. */
static struct wall whole_wall(const struct run_wall *walls)
{
	return walls->count > 1 ? run_wall_step(walls, NULL) : *run_wall_engine(walls);
}

static const struct row_column PARENT[] = { { "parent_run", STORE_TEXT } };

static void add_no_parent(const struct store_rows *rows, void *context, struct cell *cells)
{
	cells[0] = CELL_NONE;
}

/* Whether the request may know the run in which this one was started. */
static int find_parent(struct request *request, const struct store_rows *run, bool *ret_known,
		       struct error *err)
{
	const char *parent = row_text(run, "parent_run");

	*ret_known = true;
	return *parent ? run_may_read(request, parent, ret_known, err) : 0;
}

static void write_run(struct row_writer *writer, struct run_rows *rows,
		      const struct run_sheet *costs, bool parent_known)
{
	struct step_context context = { costs, rows->walls };
	size_t sums = (size_t)store_column(rows->run, "cwd") + 1;

	row_group_begin(writer, "run");
	query_rows_fields(writer, rows->run, 0, sums,
			  parent_known ? NULL
				       : &(struct row_extra){ PARENT, 1, add_no_parent, NULL });
	row_group_end(writer);
	row_group_begin(writer, "totals");
	write_with_wall(writer, rows->run, sums, whole_wall(rows->walls));
	row_field(writer, "cost_usd",
		  usd_cell(costs->cost.priced, cost_part_sum(&costs->cost.part)));
	row_group_end(writer);
	write_shares(writer, rows->shares, rows->walls);
	write_steps(writer, rows->steps, &context);
	run_cost_write(writer, costs->sheet, costs->run, costs->changes, costs->change_count);
}

/* The rows and the costs, in three threads. */
static int run_read(struct request *request, const char *id, struct run_rows *rows,
		    struct run_sheet *ret_costs, bool *ret_parent_known, struct error *err)
{
	struct parts parts = { request->server, id, rows, ret_costs };
	struct error words = { "" };
	struct beside steps, costs;
	int rc, rest, costs_rc;

	beside_begin(&steps, query_steps, &parts);
	beside_begin(&costs, make_costs, &parts);
	rc = run_rows_query(request->server, id, rows, err);
	if (rc == 0)
		rc = find_parent(request, rows->run, ret_parent_known, err);
	rest = beside_end(&steps, &words);
	costs_rc = beside_end(&costs, rest ? NULL : &words);
	rest = rest ? rest : costs_rc;
	if (rc == 0 && rest)
		*err = words;
	return rc ? rc : rest;
}

int get_run(struct request *request, struct reply *reply)
{
	CLEANUP(run_rows_clear) struct run_rows rows = { 0 };
	CLEANUP(run_sheet_clear) struct run_sheet costs = { .run = SIZE_MAX };
	struct error *err = &reply->error;
	char id[RUN_ID_SIZE];
	struct row_writer writer;
	bool parent_known;
	int rc = run_resolve(request, reply, id);

	if (rc == 0)
		rc = run_read(request, id, &rows, &costs, &parent_known, err);
	if (rc)
		return rc;
	answer_begin(&writer, request, reply);
	write_run(&writer, &rows, &costs, parent_known);
	row_writer_end(&writer);
	return 0;
}
