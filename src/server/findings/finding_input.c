/* SPDX-License-Identifier: Apache-2.0 */
#include "server/findings/finding_input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cost/price.h"
#include "findings/threshold.h"
#include "server/billing/run_cost.h"
#include "server/findings/slowness_read.h"
#include "server/query/beside.h"
#include "server/query/run.h"

#define TASKS_MAX 100000

void finding_source_clear(struct finding_source *source)
{
	slowness_source_free(source->slowness);
	run_usual_clear(&source->usual);
	sizes_clear(&source->sizes);
	steps_clear(&source->steps);
	failure_source_clear(&source->failure);
	free(source->tasks);
	free(source->hosts);
	free(source->up);
	free(source->used);
	free(source->used_intervals);
	sheet_free(source->sheet);
	store_rows_free(source->run_row);
	store_rows_free(source->task_rows);
}

/* < 0: unknown. */
static double usd_hour(const struct sheet_host *host)
{
	const struct sheet_price *price = sheet_last_price(host);

	return price && price->known ? cost_usd(price->nusd_hour) : -1;
}

/* Reads the task of the current row; texts stay those of the rows. */
static struct finding_task read_task(const struct store_rows *rows, const struct sheet *sheet)
{
	size_t at = sheet_host(sheet, row_text(rows, "host_id"));
	const struct sheet_host *host = at == SIZE_MAX ? NULL : &sheet->hosts[at];

	return (struct finding_task){
		.id = row_text(rows, "id"),
		.step = row_text(rows, "step"),
		.name = row_text(rows, "name"),
		.ended = row_i64(rows, "ended_at") > 0,
		.succeeded = strcmp(row_text(rows, "status"), "succeeded") == 0,
		.cpus_requested = row_double(rows, "cpus_requested"),
		.memory_requested_bytes = (uint64_t)row_i64(rows, "memory_requested_bytes"),
		.requested_by = row_text(rows, "requested_by"),
		.memory_peak_bytes = (uint64_t)row_i64(rows, "memory_peak_bytes"),
		.cpu_ns = (uint64_t)(row_i64(rows, "user_ns") + row_i64(rows, "kernel_ns")),
		.wall_ns = (uint64_t)(row_double(rows, "wall_s") * (double)NS_PER_S),
		.host_cpus = host ? host->cpus : 0,
		.host_memory_bytes = host ? host->memory_bytes : 0,
		.host_usd_hour = host ? usd_hour(host) : -1,
	};
}

/* A task that only its engine reported did not start, and used nothing. */
static int read_tasks(struct finding_source *source)
{
	size_t count = 0, capacity = 0;

	while (store_next(source->task_rows)) {
		struct finding_task *more = source->tasks;

		if (!row_i64(source->task_rows, "started_at"))
			continue;
		if (count == capacity) {
			capacity = capacity ? 2 * capacity : 64;
			more = realloc(more, capacity * sizeof(*more));
			if (!more)
				return -ENOMEM;
			source->tasks = more;
		}
		more[count++] = read_task(source->task_rows, source->sheet);
	}
	source->input.tasks = source->tasks;
	source->input.task_count = count;
	return 0;
}

static int read_steps(struct finding_source *source)
{
	int rc = steps_make(source->tasks, source->input.task_count, &source->steps);

	source->input.steps = source->steps.items;
	source->input.step_count = source->steps.count;
	return rc;
}

static struct finding_run read_run(const struct store_rows *rows)
{
	return (struct finding_run){
		.id = row_text(rows, "id"),
		.name = row_text(rows, "name"),
		.engine = row_text(rows, "engine"),
		.status = row_text(rows, "status"),
		.exit_code = (int)row_i64(rows, "exit_code"),
		.signal = (int)row_i64(rows, "signal"),
		.started_at = row_i64(rows, "started_at"),
		.ended_at = row_i64(rows, "ended_at"),
		.wall_ns = (uint64_t)(row_double(rows, "wall_s") * (double)NS_PER_S),
		.cost_usd = -1,
	};
}

/* The prices of the hosts and the cost of the run. */
static int read_costs(struct finding_source *source, struct server *server, struct error *err)
{
	struct finding_run *run = &source->run;
	int rc = runs_sheet(server, run->started_at, run->ended_at, &source->sheet, err);

	if (rc)
		return rc;
	source->cost = run_cost_of(source->sheet, sheet_run(source->sheet, run->id));
	if (source->cost.priced)
		run->cost_usd = cost_usd(cost_part_sum(&source->cost.part));
	return 0;
}

/* The memory peak of a later attempt that succeeded. */
static uint64_t peak_of(const struct finding_source *source, const char *task)
{
	for (size_t i = 0; *task && i < source->input.task_count; i++)
		if (strcmp(source->tasks[i].id, task) == 0)
			return source->tasks[i].memory_peak_bytes;
	return 0;
}

static int read_failure(struct finding_source *source, struct server *server, struct error *err)
{
	struct failure_source *failure = &source->failure;
	bool any = false;
	int rc = failure_read(server, source->run.id, failure, &any, err);

	if (rc || !any)
		return rc;
	for (size_t i = 0; i < failure->facts.task_count; i++)
		if (failure->tasks[i].later_succeeded)
			failure->tasks[i].later_peak_bytes =
				peak_of(source, failure->tasks[i].later_id);
	source->input.failure = &failure->facts;
	return 0;
}

/* What earlier runs of the pipeline say of its steps. */
static int read_history(struct finding_source *source, struct server *server, struct error *err)
{
	const struct pipeline_history *history = &source->usual.history;
	int rc = run_usual_read(server, source->run.id, HISTORY_OF_ANYONE, NULL, &source->usual,
				err);

	if (rc)
		return rc;
	source->input.usual = &source->usual.steps;
	rc = sizes_make(history->tasks, history->task_count, NULL, &source->sizes);
	for (size_t i = 0; rc == 0 && i < source->steps.count; i++)
		source->steps.items[i].size =
			sizes_find(&source->sizes, source->steps.items[i].name);
	return rc ? error_set(err, rc, "no memory for the sizes") : 0;
}

int finding_source_of_run(struct server *server, const char *id, struct finding_source *ret,
			  struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", id), PARAM_OPTIONAL("step", NULL),
					      PARAM_OPTIONAL("status", NULL),
					      PARAM_OPTIONAL("cursor", NULL),
					      PARAM_I64("limit", TASKS_MAX) };
	int rc = QUERY(server, "tasks", params, &ret->task_rows, err);

	if (rc == 0)
		rc = run_query_row(server, "run_head", id, &ret->run_row, err);
	if (rc)
		return rc;
	ret->run = read_run(ret->run_row);
	rc = read_costs(ret, server, err);
	if (rc)
		return rc;
	ret->input = (struct finding_input){ .run = &ret->run };
	rc = read_tasks(ret);
	if (rc == 0)
		rc = read_steps(ret);
	if (rc == 0)
		rc = read_failure(ret, server, err);
	/* What saves less than SLOW_NS is no finding: of a shorter run none can be. */
	if (rc || (double)ret->run.wall_ns < threshold(SLOW_NS))
		return rc;
	rc = slowness_read(server, &ret->run, &ret->slowness, err);
	if (rc)
		return rc;
	ret->input.slowness = slowness_source_facts(ret->slowness);
	return read_history(ret, server, err);
}

/* Reads when tracked processes ran, as intervals of the sheet's hosts. */
static int read_used(struct finding_source *source, struct store_rows *rows)
{
	size_t capacity = 0;

	while (store_next(rows)) {
		size_t host = sheet_host(source->sheet, row_text(rows, "host_id"));
		struct interval *more = source->used_intervals;

		if (host == SIZE_MAX)
			continue;
		if (source->used_count == capacity) {
			capacity = capacity ? 2 * capacity : 64;
			more = realloc(more, capacity * sizeof(*more));
			if (!more)
				return -ENOMEM;
			source->used_intervals = more;
		}
		more[source->used_count++] = (struct interval){ host, row_i64(rows, "since_at"),
								row_i64(rows, "until_at") };
	}
	source->used_count = intervals_join(source->used_intervals, source->used_count, 0);
	return 0;
}

/* Joined intervals are sorted by host: those of one host follow each other. */
static int spread(const struct interval *joined, size_t count, struct finding_source *source,
		  bool up)
{
	struct host_interval *intervals = calloc(count + 1, sizeof(*intervals));

	if (!intervals)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		struct host_activity *host = &source->hosts[joined[i].host];
		const struct host_interval **first = up ? &host->up : &host->used;
		size_t *length = up ? &host->up_count : &host->used_count;

		intervals[i] = (struct host_interval){ joined[i].since_at, joined[i].until_at };
		if (!*length)
			*first = &intervals[i];
		++*length;
	}
	*(up ? &source->up : &source->used) = intervals;
	return 0;
}

static int make_hosts(struct finding_source *source)
{
	const struct sheet *sheet = source->sheet;

	source->hosts = calloc(sheet->host_count + 1, sizeof(*source->hosts));
	if (!source->hosts)
		return -ENOMEM;
	for (size_t i = 0; i < sheet->host_count; i++)
		source->hosts[i].usd_hour = usd_hour(&sheet->hosts[i]);
	return 0;
}

/* Of the hosts, what is read beside when tracked work used them. */
struct hosts_known {
	struct server *server;
	int64_t since_at, until_at;
	struct sheet *sheet;
};

static int read_hosts(void *context, struct error *err)
{
	struct hosts_known *hosts = context;
	const struct sheet_ask ask = { .since_at = hosts->since_at,
				       .until_at = hosts->until_at,
				       .rule = sheet_rule(hosts->server),
				       .billed = true };

	return sheet_read(hosts->server, &ask, &hosts->sheet, err);
}

/* When tracked work used hosts, and meanwhile what is known of these. */
static int read_use(struct hosts_known *hosts, struct store_rows **ret_used, struct error *err)
{
	const struct store_param window[] = { PARAM_TIME("since_at", hosts->since_at),
					      PARAM_TIME("until_at", hosts->until_at) };
	struct error words = { "" };
	struct beside beside;
	int rc, hosts_rc;

	beside_begin(&beside, read_hosts, hosts);
	rc = QUERY(hosts->server, "activity_used", window, ret_used, err);
	hosts_rc = beside_end(&beside, &words);
	if (rc == 0 && hosts_rc)
		rc = error_set(err, hosts_rc, "%s", error_text(&words));
	return rc;
}

int finding_source_of_hosts(struct server *server, int64_t days, struct finding_source *ret,
			    struct error *err)
{
	int64_t now = clock_real_ns();
	struct hosts_known hosts = { server, now - days * 86400 * NS_PER_S, now, NULL };
	CLEANUP(store_rows_freep) struct store_rows *used = NULL;
	int rc = read_use(&hosts, &used, err);

	ret->sheet = hosts.sheet;
	if (rc == 0)
		rc = make_hosts(ret);
	if (rc == 0)
		rc = read_used(ret, used);
	if (rc == 0)
		rc = spread(ret->sheet->intervals, ret->sheet->interval_count, ret, true);
	if (rc == 0)
		rc = spread(ret->used_intervals, ret->used_count, ret, false);
	return rc;
}
