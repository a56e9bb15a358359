/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report_document.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/lake/client.h"
#include "cli/report/report_dataflow.h"

/* The lists of a run, /runs/RUN/NAME, which the document holds as arrays of these names. */
static const struct run_list {
	const char *name;
	enum report_depth depth; /* the least that has it */
	bool paged;              /* the path takes ?limit= */
	uint64_t table_rows;     /* rows at most for a table; 0: all */
	const char *expand;      /* parameter for rows that a table shows as one; NULL: none */
} run_lists[] = {
	{ .name = "tasks", .depth = REPORT_FULL, .paged = true },
	{ .name = "tools", .depth = REPORT_SCREEN, .expand = "all" },
	{ .name = "processes", .depth = REPORT_JSON, .paged = true },
	{ .name = "events", .depth = REPORT_FULL },
	{ .name = "findings", .depth = REPORT_SCREEN },
	{ .name = "files", .depth = REPORT_FULL, .paged = true, .table_rows = 20000 },
	{ .name = "network", .depth = REPORT_FULL, .paged = true },
	{ .name = "syscalls", .depth = REPORT_FULL, .paged = true },
	{ .name = "io", .depth = REPORT_FULL, .paged = true },
	{ .name = "parts", .depth = REPORT_FULL },
};

static int fetch_list(const struct common *common, const char *id, const struct run_list *list,
		      enum report_depth depth, json_t *document, struct error *err)
{
	json_t *rows CLEANUP(json_decrefp) = NULL;
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	int status;

	buffer_init(&path, 4096);
	buffer_printf(&path, "/runs/%s/%s", id, list->name);
	if (list->paged)
		buffer_printf(&path, "?limit=%d", CLIENT_PAGE);
	else if (depth == REPORT_JSON && list->expand)
		buffer_printf(&path, "?%s=true", list->expand);
	status = client_get_all(common, path.data, list->name,
				depth == REPORT_JSON ? 0 : list->table_rows, &rows, err);
	if (status < 0)
		return status;
	if (json_is_string(json_object_get(rows, "next")))
		json_object_set_new(document, "files_incomplete", json_true());
	json_object_del(rows, "next");
	json_object_update(document, rows);
	return 0;
}

/* Answers about a run, /runs/RUN/NAME, which the document holds as objects of these names. */
static const char *const run_objects[] = { "expected", "sizes" };

static int fetch_objects(const struct common *common, const char *id, json_t *document,
			 struct error *err)
{
	int status = 0;

	for (size_t i = 0; status >= 0 && i < sizeof(run_objects) / sizeof(*run_objects); i++) {
		struct buffer path CLEANUP(buffer_clear) = { 0 };
		json_t *object = NULL;

		buffer_init(&path, 4096);
		buffer_printf(&path, "/runs/%s/%s", id, run_objects[i]);
		status = client_get(common, path.data, &object, err);
		if (status >= 0)
			json_object_set_new(document, run_objects[i], object);
		else if (status == -ENOENT) /* a lake of an earlier version */
			status = 0;
	}
	return status < 0 ? status : 0;
}

static int fetch_head(const struct common *common, const char *run, json_t **ret, struct error *err)
{
	struct buffer path CLEANUP(buffer_clear) = { 0 };

	buffer_init(&path, 4096);
	buffer_append_text(&path, "/runs/");
	client_escape(&path, run);
	return client_get(common, path.data, ret, err);
}

/* Costs apart: a run shares what was idle with the runs beside it, and what those held is known
 * better while they go on. The caller's (json_decref). */
static json_t *without_costs(const json_t *head)
{
	json_t *totals = json_copy(json_object_get(head, "totals")), *steps = json_array(), *step;
	size_t i;

	json_object_del(totals, "cost_usd");
	json_array_foreach(json_object_get(head, "steps"), i, step)
	{
		step = json_copy(step);
		json_object_del(step, "cost_usd");
		json_array_append_new(steps, step);
	}
	return json_pack("{s:O?,s:o?,s:o?}", "run", json_object_get(head, "run"), "totals", totals,
			 "steps", steps);
}

static bool is_same_head(const json_t *before, const json_t *now)
{
	json_t *figures_before CLEANUP(json_decrefp) = without_costs(before);
	json_t *figures_now CLEANUP(json_decrefp) = without_costs(now);

	return figures_before && json_equal(figures_before, figures_now);
}

/* *ret_consistent: the run did not change meanwhile, so that all lists show the same state. */
static int fetch_once(const struct common *common, const char *run, enum report_depth depth,
		      json_t **ret, bool *ret_consistent, struct error *err)
{
	json_t *document CLEANUP(json_decrefp) = NULL, *head CLEANUP(json_decrefp) = NULL;
	int status = fetch_head(common, run, &document, err);
	const char *id;

	if (status < 0)
		return status;
	head = json_copy(document);
	/* "latest" can become another run at any time: query the lists by id. */
	id = json_string_value(json_object_get(json_object_get(document, "run"), "id"));
	for (size_t i = 0; status == 0 && i < sizeof(run_lists) / sizeof(*run_lists); i++)
		if (run_lists[i].depth <= depth)
			status = fetch_list(common, id ? id : run, &run_lists[i], depth, document,
					    err);
	if (status == 0)
		status = fetch_objects(common, id ? id : run, document, err);
	if (status == 0 && depth >= REPORT_FULL)
		status = report_dataflow_fetch(common, id ? id : run, document, err);
	if (status == 0) {
		json_t *now CLEANUP(json_decrefp) = NULL;

		status = fetch_head(common, id ? id : run, &now, err);
		*ret_consistent = status == 0 && is_same_head(head, now);
	}
	if (status == 0)
		*ret = TAKE_PTR(document);
	return status;
}

static bool is_running(const json_t *document)
{
	const char *status =
		json_string_value(json_object_get(json_object_get(document, "run"), "status"));

	return status && strcmp(status, "running") == 0;
}

#define TRIES_MAX                                                                      \
	5 /* one try takes longer than the last records of an ended run need to arrive \
	   */

/* The last records of an ended run can arrive between two requests: then some lists have them and
 * others do not, so that it asks again. The lists of a running run always differ a little. */
int report_document_fetch(const struct common *common, const char *run, enum report_depth depth,
			  json_t **ret, struct error *err)
{
	for (int tries = 1;; tries++) {
		json_t *document CLEANUP(json_decrefp) = NULL;
		bool consistent = false;
		int status = fetch_once(common, run, depth, &document, &consistent, err);

		if (status < 0)
			return status;
		if (!consistent && !is_running(document)) {
			if (tries < TRIES_MAX)
				continue;
			fputs("tracer report: records of this run are still arriving, so that its "
			      "sums may not add up yet. Run the command again in a minute\n",
			      stderr);
		}
		*ret = TAKE_PTR(document);
		return 0;
	}
}
