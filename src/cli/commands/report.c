/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/local/client.h"
#include "cli/report/finding.h"
#include "cli/terminal/print.h"
#include "cli/report/report_dataflow.h"
#include "cli/report/report_files.h"
#include "cli/report/report_io.h"
#include "cli/report/report_network.h"
#include "cli/report/report_parts.h"
#include "cli/report/report_syscalls.h"
#include "cli/report/report_tasks.h"
#include "cli/report/report_times.h"

/* `tracer report`: one run on one screen, or as the whole document of interfaces.md. */

struct report_settings {
	struct common common;
};

static const struct config_option options[] = { COMMON_OPTIONS(struct report_settings) };

static const struct column step_columns[] = {
	{ "name", "STEP", FORMAT_TEXT, 44 },
	{ "tasks", "TASKS", FORMAT_COUNT, 0 },
	{ "failed", "FAILED", FORMAT_COUNT, 0 },
	{ "lost", "LOST", FORMAT_COUNT, 0 },
	{ "median", "TIME (MEDIAN)", FORMAT_SECONDS, 0 },
	{ "user_ns", "CPU", FORMAT_CPU_NS, 0 },
	{ "runnable_ns", "WAITED FOR CPU", FORMAT_NS, 0 },
	{ "rss_peak_bytes", "PEAK", FORMAT_BYTES, 0 },
	{ "disk_read_bytes", "STORAGE READ", FORMAT_BYTES, 0 },
	{ "disk_write_bytes", "WRITTEN", FORMAT_BYTES, 0 },
	{ "cost_usd", "COST", FORMAT_USD, 0 },
};

static const struct column tool_columns[] = {
	{ "name", "TOOL", FORMAT_TEXT, 40 },
	{ "versions", "VERSION", FORMAT_LIST, 24 },
	{ "executions", "EXECUTIONS", FORMAT_COUNT, 0 },
	{ "user_ns", "CPU", FORMAT_CPU_NS, 0 },
	{ "rss_peak_bytes", "PEAK", FORMAT_BYTES, 0 },
};

/* The parts of the document that are paths of their own, named as the array each brings. */
static const struct part {
	const char *name;
	bool pages;        /* the path takes a limit */
	bool on_screen;    /* false: only JSON has them */
	uint64_t row_most; /* on the screen; 0: all */
	const char *every; /* asks for rows that the screen has as one; NULL: there are none */
} parts[] = {
	{ "tasks", true, true, 0, NULL },      { "tools", false, true, 0, "all" },
	{ "processes", true, false, 0, NULL }, { "events", false, true, 0, NULL },
	{ "findings", false, true, 0, NULL },  { "files", true, true, 20000, NULL },
	{ "network", true, true, 0, NULL },    { "syscalls", true, true, 0, NULL },
	{ "io", true, true, 0, NULL },         { "parts", false, true, 0, NULL },
};

static int fetch_part(const struct common *common, const char *id, const struct part *part,
		      json_t *document, struct error *err)
{
	json_t *rows CLEANUP(json_decrefp) = NULL;
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	int status;

	buffer_init(&path, 4096);
	buffer_printf(&path, "/runs/%s/%s", id, part->name);
	if (part->pages)
		buffer_printf(&path, "?limit=%d", CLIENT_PAGE);
	else if (common->json && part->every)
		buffer_printf(&path, "?%s=true", part->every);
	status = client_get_all(common, path.data, part->name, common->json ? 0 : part->row_most,
				&rows, err);
	if (status < 0)
		return status;
	if (json_is_string(json_object_get(rows, "next")))
		json_object_set_new(document, "files_incomplete", json_true());
	json_object_del(rows, "next");
	json_object_update(document, rows);
	return 0;
}

static int fetch_head(const struct common *common, const char *run, json_t **ret, struct error *err)
{
	struct buffer path CLEANUP(buffer_clear) = { 0 };

	buffer_init(&path, 4096);
	buffer_append_text(&path, "/runs/");
	client_escape(&path, run);
	return client_get(common, path.data, ret, err);
}

static bool is_as_before(const json_t *before, const json_t *now)
{
	static const char *const parts_of_head[] = { "run", "totals", "cost", "steps" };

	for (size_t i = 0; i < sizeof(parts_of_head) / sizeof(*parts_of_head); i++)
		if (!json_equal(json_object_get(before, parts_of_head[i]),
				json_object_get(now, parts_of_head[i])))
			return false;
	return true;
}

/* *ret_whole: nothing came in between, so that all parts are of one state. */
static int fetch_once(const struct common *common, const char *run, json_t **ret, bool *ret_whole,
		      struct error *err)
{
	json_t *document CLEANUP(json_decrefp) = NULL, *head CLEANUP(json_decrefp) = NULL;
	int status = fetch_head(common, run, &document, err);
	const char *id;

	if (status < 0)
		return status;
	head = json_copy(document);
	/* "latest" may be another run by now: ask for the rest by id. */
	id = json_string_value(json_object_get(json_object_get(document, "run"), "id"));
	for (size_t i = 0; status == 0 && i < sizeof(parts) / sizeof(*parts); i++)
		if (parts[i].on_screen || common->json)
			status = fetch_part(common, id ? id : run, &parts[i], document, err);
	if (status == 0)
		status = report_dataflow_fetch(common, id ? id : run, document, err);
	if (status == 0) {
		json_t *now CLEANUP(json_decrefp) = NULL;

		status = fetch_head(common, id ? id : run, &now, err);
		*ret_whole = status == 0 && is_as_before(head, now);
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

#define TRIES_MAX 5 /* one takes longer than the records of an ended run are on their way */

/* What a run's last records bring while it is asked for would be in one part and not in another. A
 * run that goes on is told as it was from part to part. */
static int fetch(const struct common *common, const char *run, json_t **ret, struct error *err)
{
	for (int tries = 1;; tries++) {
		json_t *document CLEANUP(json_decrefp) = NULL;
		bool whole = false;
		int status = fetch_once(common, run, &document, &whole, err);

		if (status < 0)
			return status;
		if (whole || is_running(document) || tries == TRIES_MAX) {
			if (!whole && !is_running(document))
				fputs("tracer report: records of this run keep coming; its parts "
				      "may not add up yet. Ask again in a minute\n",
				      stderr);
			*ret = TAKE_PTR(document);
			return 0;
		}
	}
}

/* One line of fields, two blanks before each; where the terminal is narrow, several. */
static void print_fields(const json_t *object, const struct column *fields, size_t count,
			 size_t *at)
{
	char label[64];

	for (size_t i = 0; i < count; i++) {
		(void)snprintf(label, sizeof(label), "  %s ", fields[i].title);
		print_labelled(stdout, label, object, fields[i].key, fields[i].format, at);
	}
}

static void print_cost(const json_t *totals, const json_t *cost)
{
	static const struct column shares[] = {
		{ "tasks_usd", "= tasks", FORMAT_USD, 0 },
		{ "engine_usd", "+ engine", FORMAT_USD, 0 },
		{ "idle_usd", "+ idle", FORMAT_USD, 0 },
		{ "price_usd_hour", "  price an hour", FORMAT_USD, 0 },
	};
	size_t at = 0;

	print_labelled(stdout, "  cost ", totals, "cost_usd", FORMAT_USD, &at);
	if (json_is_object(cost))
		print_fields(cost, shares, sizeof(shares) / sizeof(*shares), &at);
	else
		printf(" (no price known: set price-usd-hour or instance-type)");
	printf("\n");
}

static void print_head(const json_t *document)
{
	static const struct column facts[] = {
		{ "pipeline", "pipeline", FORMAT_TEXT, 0 },
		{ "engine", "  engine", FORMAT_TEXT, 0 },
		{ "user", "  user", FORMAT_TEXT, 0 },
		{ "hosts", "  host", FORMAT_LIST, 0 },
		{ "started_at", "  started", FORMAT_TIME, 0 },
		{ "wall_s", "  took", FORMAT_SECONDS, 0 },
		{ "parent_run", "  in run", FORMAT_TEXT, 0 }, /* the last: where there is one */
	};
	static const struct column sums[] = {
		{ "user_ns", "CPU", FORMAT_CPU_NS, 0 },
		{ "runnable_ns", "  waited for CPU", FORMAT_NS, 0 },
		{ "rss_peak_bytes", "  largest process", FORMAT_BYTES, 0 },
		{ "executions", "  processes", FORMAT_COUNT, 0 },
		{ "gpu_busy_ns", "  GPU", FORMAT_NS, 0 }, /* the last: shown where there is any */
	};
	static const struct column bytes[] = {
		{ "disk_read_bytes", "storage read", FORMAT_BYTES, 0 },
		{ "disk_write_bytes", "  written", FORMAT_BYTES, 0 },
		{ "file_bytes", "  files", FORMAT_BYTES, 0 },
		{ "read_chars_bytes", "  calls read", FORMAT_BYTES, 0 },
		{ "write_chars_bytes", "  written", FORMAT_BYTES, 0 },
		{ "net_rx_bytes", "  network received", FORMAT_BYTES, 0 },
		{ "net_tx_bytes", "  sent", FORMAT_BYTES, 0 },
	};
	const json_t *run = json_object_get(document, "run"),
		     *totals = json_object_get(document, "totals");
	const char *status = json_string_value(json_object_get(run, "status"));
	const char *name = json_string_value(json_object_get(run, "name"));
	bool gpu = json_integer_value(json_object_get(totals, "gpu_busy_ns")) > 0;
	bool outer = json_is_string(json_object_get(run, "parent_run"));
	size_t at = 0;

	printf("Run ");
	print_text(stdout, name ? name : "?");
	printf("  ");
	print_status(stdout, status ? status : "unknown");
	putchar('\n');
	print_fields(run, facts, sizeof(facts) / sizeof(*facts) - !outer, &at);
	printf("\n");
	at = 0;
	print_fields(totals, sums, sizeof(sums) / sizeof(*sums) - !gpu, &at);
	printf("\n");
	at = 0;
	print_fields(totals, bytes, sizeof(bytes) / sizeof(*bytes), &at);
	printf("\n");
	print_cost(totals, json_object_get(document, "cost"));
}

static void print_losses(const json_t *document)
{
	const json_t *loss;
	size_t i;

	json_array_foreach(json_object_get(document, "losses"), i, loss)
	{
		const char *what = json_string_value(json_object_get(loss, "what"));
		const char *why = json_string_value(json_object_get(loss, "why"));
		json_int_t count = json_integer_value(json_object_get(loss, "count"));

		if (count > 0)
			printf("! missing: %lld ", (long long)count);
		else
			printf("! missing: what the ");
		print_text(stdout, what ? what : "?");
		printf(count > 0 ? " records (" : " would have seen (");
		print_text(stdout, why ? why : "?");
		printf(")\n");
	}
}

/* One screen shows what matters. */
static json_t *news_of(const json_t *document)
{
	json_t *news = json_array();
	const json_t *event;
	size_t i;

	json_array_foreach(json_object_get(document, "events"), i, event)
	{
		if (!json_is_true(json_object_get(event, "routine")))
			json_array_append(news, (json_t *)event);
	}
	return news;
}

static void print_routine(const json_t *document)
{
	size_t inside = 0, outside = 0, i;
	const json_t *event;

	json_array_foreach(json_object_get(document, "events"), i, event)
	{
		if (!json_is_true(json_object_get(event, "routine")))
			continue;
		if (json_is_string(json_object_get(event, "task_id")))
			inside++;
		else
			outside++;
	}
	if (inside + outside == 0)
		return;
	printf("\nNot shown:");
	if (inside > 0)
		printf(" %zu inside tasks that succeeded", inside);
	if (outside > 0)
		printf("%s %zu outside any task", inside > 0 ? "," : "", outside);
	printf(": a process ended with another code than 0, or was not found (`tracer events`).\n");
}

static void print_events(const json_t *document)
{
	static const struct column columns[] = {
		{ "happened_at", "WHEN", FORMAT_TIME, 0 },
		{ "kind", "EVENT", FORMAT_TEXT, 0 },
		{ "summary", "WHAT", FORMAT_SENTENCE, 100 },
	};
	json_t *news CLEANUP(json_decrefp) = news_of(document);

	if (json_array_size(news) > 0) {
		putchar('\n');
		print_table(stdout, news, columns, 3);
	}
	print_routine(document);
}

#define SECTION(document, name, columns)                                      \
	do {                                                                  \
		putchar('\n');                                                \
		print_table(stdout, json_object_get(document, name), columns, \
			    sizeof(columns) / sizeof(*(columns)));            \
	} while (0)

/* Tables show flat objects: the median stands one level down. */
static void lift_medians(json_t *steps)
{
	size_t i;
	json_t *step;

	json_array_foreach(steps, i, step) json_object_set(
		step, "median", json_object_get(json_object_get(step, "wall_s"), "median"));
}

static int run_report(void *settings_, int argc, char **argv)
{
	const struct report_settings *settings = settings_;
	json_t *document CLEANUP(json_decrefp) = NULL;
	struct error err = { 0 };
	const char *run = command_run("report", argc, argv);
	int status;

	if (!run)
		return EXIT_USAGE;
	status = fetch(&settings->common, run, &document, &err);
	if (status < 0)
		return client_failed("report", status, &err);
	if (settings->common.json) {
		print_json(document);
		return EXIT_DONE;
	}
	lift_medians(json_object_get(document, "steps"));
	print_head(document);
	print_losses(document);
	putchar('\n');
	finding_print(stdout, json_object_get(document, "findings"),
		      finding_asked(json_object_get(document, "tasks")));
	putchar('\n');
	report_times(stdout, document);
	SECTION(document, "steps", step_columns);
	report_tasks_print(json_object_get(document, "tasks"));
	report_dataflow(stdout, json_object_get(document, "dataflow"));
	SECTION(document, "tools", tool_columns);
	report_parts_print(document);
	report_files(stdout, json_object_get(document, "files"),
		     !json_object_get(document, "files_incomplete"));
	report_network(stdout, json_object_get(document, "network"));
	report_io(stdout, json_object_get(document, "io"));
	report_syscalls(stdout, json_object_get(document, "syscalls"));
	print_events(document);
	return EXIT_DONE;
}

extern const struct command report_command;
const struct command report_command = {
	.name = "report",
	.arguments = "[RUN]",
	.summary =
		"show a run on one screen (RUN: an id, a name, a pipeline, a start of one, or latest)",
	OPTIONS(options),
	.settings_size = sizeof(struct report_settings),
	.run = run_report,
};
