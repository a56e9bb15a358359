#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/client.h"
#include "cli/finding.h"
#include "cli/print.h"

/* `tracer report`: one run on one screen, or as the whole document of interfaces.md. */

struct report_settings {
	struct common common;
};

static const struct config_option options[] = { COMMON_OPTIONS(struct report_settings) };

static const struct column step_columns[] = {
	{ "name", "STEP", FORMAT_TEXT, 44 },
	{ "tasks", "TASKS", FORMAT_COUNT, 0 },
	{ "failed", "FAILED", FORMAT_COUNT, 0 },
	{ "median", "TIME (MEDIAN)", FORMAT_SECONDS, 0 },
	{ "user_ns", "CPU", FORMAT_CPU_NS, 0 },
	{ "runnable_ns", "WAITED FOR CPU", FORMAT_NS, 0 },
	{ "rss_peak_bytes", "PEAK", FORMAT_BYTES, 0 },
	{ "read_chars_bytes", "READ", FORMAT_BYTES, 0 },
	{ "write_chars_bytes", "WRITTEN", FORMAT_BYTES, 0 },
	{ "cost_usd", "COST", FORMAT_USD, 0 },
};

static const struct column task_columns[] = {
	{ "step", "TASK OF STEP", FORMAT_TEXT, 44 },
	{ "sample", "SAMPLE", FORMAT_TEXT, 16 },
	{ "status", "STATUS", FORMAT_TEXT, 0 },
	{ "wall_s", "TIME", FORMAT_SECONDS, 0 },
	{ "user_ns", "CPU", FORMAT_CPU_NS, 0 },
	{ "memory_peak_bytes", "MEMORY", FORMAT_BYTES, 0 },
	{ "memory_requested_bytes", "ASKED", FORMAT_BYTES, 0 },
	{ "tools", "TOOLS", FORMAT_LIST, 40 },
};

static const struct column tool_columns[] = {
	{ "name", "TOOL", FORMAT_TEXT, 40 },
	{ "executions", "EXECUTIONS", FORMAT_COUNT, 0 },
	{ "user_ns", "CPU", FORMAT_CPU_NS, 0 },
	{ "rss_peak_bytes", "PEAK", FORMAT_BYTES, 0 },
};

/* The parts of the document that are paths of their own, named as the array each brings. */
static const struct {
	const char *name;
	bool pages;     /* the path takes a limit */
	bool on_screen; /* false: only JSON has them */
} parts[] = {
	{ "tasks", true, true },   { "tools", false, true },    { "processes", true, false },
	{ "events", false, true }, { "findings", false, true },
};

static int fetch_part(const struct common *common, const char *id, size_t part, json_t *document,
		      struct error *err)
{
	json_t *rows CLEANUP(json_decrefp) = NULL;
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	int status;

	buffer_init(&path, 4096);
	buffer_printf(&path, "/runs/%s/%s", id, parts[part].name);
	if (parts[part].pages)
		buffer_printf(&path, "?limit=%d", CLIENT_PAGE);
	status = client_get_all(common, path.data, parts[part].name, 0, &rows, err);
	if (status < 0)
		return status;
	json_object_del(rows, "next");
	json_object_update(document, rows);
	return 0;
}

static int fetch(const struct common *common, const char *run, json_t **ret, struct error *err)
{
	json_t *document CLEANUP(json_decrefp) = NULL;
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	const char *id;
	int status;

	buffer_init(&path, 4096);
	buffer_append_text(&path, "/runs/");
	client_escape(&path, run);
	status = client_get(common, path.data, &document, err);
	if (status < 0)
		return status;
	/* "latest" may be another run by now: ask for the rest by id. */
	id = json_string_value(json_object_get(json_object_get(document, "run"), "id"));
	for (size_t i = 0; status == 0 && i < sizeof(parts) / sizeof(*parts); i++)
		if (parts[i].on_screen || common->json)
			status = fetch_part(common, id ? id : run, i, document, err);
	if (status < 0)
		return status;
	*ret = TAKE_PTR(document);
	return 0;
}

static void print_field(const char *label, const json_t *object, const char *key,
			enum format format)
{
	struct column column = { key, label, format, 0 };
	struct buffer text CLEANUP(buffer_clear) = { 0 };

	buffer_init(&text, 0);
	print_value(&text, object, &column);
	printf("  %s %s", label, text.data ? text.data : "");
}

static void print_head(const json_t *document)
{
	const json_t *run = json_object_get(document, "run"),
		     *totals = json_object_get(document, "totals"),
		     *cost = json_object_get(document, "cost");
	const char *status = json_string_value(json_object_get(run, "status"));
	const char *name = json_string_value(json_object_get(run, "name"));

	printf("Run ");
	print_text(stdout, name ? name : "?");
	printf("  ");
	print_status(stdout, status ? status : "unknown");
	putchar('\n');
	print_field("pipeline", run, "pipeline", FORMAT_TEXT);
	print_field("  engine", run, "engine", FORMAT_TEXT);
	print_field("  user", run, "user", FORMAT_TEXT);
	print_field("  host", run, "hosts", FORMAT_LIST);
	print_field("  started", run, "started_at", FORMAT_TIME);
	print_field("  took", run, "wall_s", FORMAT_SECONDS);
	printf("\n");
	print_field("CPU", totals, "user_ns", FORMAT_CPU_NS);
	print_field("  waited for CPU", totals, "runnable_ns", FORMAT_NS);
	print_field("  largest process", totals, "rss_peak_bytes", FORMAT_BYTES);
	print_field("  read", totals, "read_chars_bytes", FORMAT_BYTES);
	print_field("  written", totals, "write_chars_bytes", FORMAT_BYTES);
	print_field("  processes", totals, "executions", FORMAT_COUNT);
	printf("\n");
	print_field("cost", totals, "cost_usd", FORMAT_USD);
	if (json_is_object(cost)) {
		print_field(" = tasks", cost, "tasks_usd", FORMAT_USD);
		print_field("+ engine", cost, "engine_usd", FORMAT_USD);
		print_field("+ idle", cost, "idle_usd", FORMAT_USD);
		print_field("  at", cost, "price_usd_hour", FORMAT_USD);
		printf(" an hour");
	} else {
		printf(" (no price known: set price-usd-hour or instance-type)");
	}
	printf("\n");
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

static bool task_failed(const json_t *tasks, const char *id)
{
	size_t i;
	const json_t *task;

	json_array_foreach(tasks, i, task)
	{
		const char *this_id = json_string_value(json_object_get(task, "id"));

		if (id && this_id && strcmp(this_id, id) == 0)
			return strcmp(json_string_value(json_object_get(task, "status")),
				      "succeeded") != 0;
	}
	return false;
}

/* One screen shows what matters: an exit code other than 0 inside a task that succeeded (grep,
 * test) is no news. */
static json_t *news_of(const json_t *document)
{
	json_t *news = json_array();
	const json_t *event;
	size_t i;

	json_array_foreach(json_object_get(document, "events"), i, event)
	{
		const char *kind = json_string_value(json_object_get(event, "kind"));
		const char *task = json_string_value(json_object_get(event, "task_id"));

		if ((kind && strcmp(kind, "exit_failed") != 0) ||
		    task_failed(json_object_get(document, "tasks"), task))
			json_array_append(news, (json_t *)event);
	}
	return news;
}

static void print_events(const json_t *document)
{
	static const struct column columns[] = {
		{ "happened_at", "WHEN", FORMAT_TIME, 0 },
		{ "kind", "EVENT", FORMAT_TEXT, 0 },
		{ "summary", "WHAT", FORMAT_TEXT, 100 },
	};
	json_t *news CLEANUP(json_decrefp) = news_of(document);
	size_t others =
		json_array_size(json_object_get(document, "events")) - json_array_size(news);

	if (json_array_size(news) > 0) {
		putchar('\n');
		print_table(stdout, news, columns, 3);
	}
	if (others > 0)
		printf("\n%zu process%s inside tasks that succeeded ended with another code than 0 "
		       "(`tracer events`).\n",
		       others, others > 1 ? "es" : "");
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
	finding_print(stdout, json_object_get(document, "findings"));
	SECTION(document, "steps", step_columns);
	SECTION(document, "tasks", task_columns);
	SECTION(document, "tools", tool_columns);
	print_events(document);
	return EXIT_DONE;
}

extern const struct command report_command;
const struct command report_command = {
	.name = "report",
	.arguments = "[RUN]",
	.summary = "show a run on one screen (RUN: an id, a name, or latest)",
	OPTIONS(options),
	.settings_size = sizeof(struct report_settings),
	.run = run_report,
};
