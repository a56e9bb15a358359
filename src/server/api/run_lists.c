/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "server/api/handlers.h"
#include "cost/price.h"
#include "server/billing/run_cost.h"
#include "server/findings/analysis.h"
#include "server/http/route.h"
#include "server/query/beside.h"
#include "server/query/process_key.h"
#include "server/query/run.h"
#include "server/query/run_wall.h"
#include "server/rows/answer.h"
#include "server/rows/query_rows.h"

/* Lists of one run. A route that has a query and a list name needs no handler of its own. */

static int answer_list(struct request *request, struct reply *reply, struct store_rows *rows,
		       int64_t limit, const struct row_extra *extra)
{
	const char *list = request->route->list;
	struct row_writer writer;

	answer_begin(&writer, request, reply);
	if (limit)
		query_rows_page(&writer, list, rows, limit, extra);
	else
		query_rows_list(&writer, list, rows, extra);
	row_writer_end(&writer);
	return 0;
}

int get_run_list(struct request *request, struct reply *reply)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	char id[RUN_ID_SIZE];
	int64_t limit = 0;
	int rc = run_resolve(request, reply, id);

	if (rc == 0)
		rc = run_query(request, id, &rows, &limit, &reply->error);
	if (rc)
		return rc;
	return answer_list(request, reply, rows, limit, NULL);
}

/* What add_task needs. */
struct task_context {
	const struct task_costs *costs;
	const struct run_wall *walls;
};

static void add_task(const struct store_rows *rows, void *context_, struct cell *cells)
{
	const struct task_context *context = context_;
	const char *id = row_text(rows, "id");
	const struct run_cost *cost = task_cost(context->costs, id);

	cells[0] = cost && cost->priced ? cell_double(cost_usd(cost_part_sum(&cost->part)))
					: CELL_NONE;
	run_wall_cells(run_wall_task(context->walls, id), cells + 1);
}

/* What is shown of tasks besides their rows. */
struct task_extra {
	struct server *server;
	const char *id;
	struct sheet *sheet;
	struct task_costs costs;
	struct run_wall *walls;
};

static int query_costs(void *context, struct error *err)
{
	struct task_extra *costs = context;
	int rc = run_sheet(costs->server, costs->id, &costs->sheet, err);

	if (rc == 0 &&
	    task_costs_make(costs->sheet, sheet_run(costs->sheet, costs->id), &costs->costs))
		rc = error_set(err, -ENOMEM, "out of memory");

	return rc ? rc : run_wall_get(&costs->walls, costs->server, costs->id, err);
}

/* The tasks and their costs, in two threads. */
static int read_tasks(struct request *request, struct task_extra *costs, struct store_rows **ret,
		      int64_t *limit, struct error *err)
{
	struct error words = { "" };
	struct beside beside;
	int rc, costs_rc;

	beside_begin(&beside, query_costs, costs);
	rc = run_query(request, costs->id, ret, limit, err);
	costs_rc = beside_end(&beside, &words);
	if (rc == 0 && costs_rc)
		*err = words;
	return rc ? rc : costs_rc;
}

int get_run_tasks(struct request *request, struct reply *reply)
{
	static const struct row_column MORE[] = { { "cost_usd", STORE_DOUBLE }, RUN_WALL_COLUMNS };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	char id[RUN_ID_SIZE];
	struct task_extra costs = { .server = request->server, .id = id };
	int64_t limit = 0;
	int rc = run_resolve(request, reply, id);

	if (rc == 0)
		rc = read_tasks(request, &costs, &rows, &limit, &reply->error);
	if (rc == 0)
		rc = answer_list(
			request, reply, rows, limit,
			&(struct row_extra){ MORE, 1 + RUN_WALL_COUNT, add_task,
					     &(struct task_context){ &costs.costs, costs.walls } });
	task_costs_clear(&costs.costs);
	sheet_free(costs.sheet);
	run_wall_put(costs.walls);
	return rc;
}

static void add_event(const struct store_rows *rows, void *analysis, struct cell *cells)
{
	struct process_key process = process_key_of(rows, "pid", "start_ns");

	cells[0] = cell_bool(analysis_is_expected(analysis, row_text(rows, "kind"), &process));
}

int get_run_events(struct request *request, struct reply *reply)
{
	static const struct row_column MORE[] = { { "expected", STORE_BOOL } };
	CLEANUP(store_rows_freep) struct store_rows *events = NULL, *losses = NULL;
	CLEANUP(analysis_putp) struct analysis *analysis = NULL;
	char id[RUN_ID_SIZE];
	struct row_writer writer;
	int rc = run_resolve(request, reply, id);
	const struct store_param params[] = {
		PARAM_TEXT("run", id), PARAM_I64("limit", request_number(request, "limit"))
	};

	if (rc == 0)
		rc = QUERY(request->server, "events", params, &events, &reply->error);
	if (rc == 0)
		rc = QUERY(request->server, "losses", params, &losses, &reply->error);
	if (rc == 0)
		rc = analysis_get(&analysis, request->server, id, &reply->error);
	if (rc)
		return rc;
	answer_begin(&writer, request, reply);
	query_rows_list(&writer, "events", events,
			&(struct row_extra){ MORE, 1, add_event, analysis });
	query_rows_list(&writer, "losses", losses, NULL);
	row_writer_end(&writer);
	return 0;
}
