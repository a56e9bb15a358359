/* SPDX-License-Identifier: Apache-2.0 */
#include "server/api/handlers.h"
#include "server/http/route.h"
#include "signal/batch.h"

static const char *const RUN_STATUSES[] = { "queued", "running", "succeeded", "failed",
					    "killed", "stalled", "lost",      NULL };
static const char *const TASK_STATUSES[] = { "queued",  "running", "succeeded", "failed", "killed",
					     "stalled", "lost",    "cached",    NULL };
static const char *const PROCESS_STATUSES[] = { "running", "succeeded", "failed", "killed",
						"lost",    "replaced",  NULL };
static const char *const FILE_KINDS[] = { "file", "system", "pseudo", "directory",
					  "pipe", "socket", "device", "other",
					  "more", "failed", NULL };
static const char *const SYSCALL_CLASSES[] = { "open",   "read",    "write",  "metadata", "sync",
					       "memory", "process", "signal", "lock",     "poll",
					       "socket", "time",    "ipc",    "async",    "compat",
					       "other",  NULL };
static const char *const RUN_SORTS[] = { "started", "wall", NULL };
static const char *const WASTE_STATES[] = { "open", "ended", "all", NULL };
static const char *const ANSWERS[] = { "true", "false", NULL };
static const char *const JOB_KINDS[] = { "check", "compact", "backup", "forget", NULL };
static const char *const SAMPLE_KEYS[] = { "run", "share", "task", "tool", NULL };
static const char *const SAMPLE_FIGURES[] = { "all", "use", NULL };
static const char *const COST_SPLITS[] = { "held", "aws", NULL };

static const char *const PERIODS[] = { "hour", "day", NULL };

#define TEXT(key, words)                                            \
	{                                                           \
		.name = (key), .kind = FILTER_TEXT, .help = (words) \
	}
#define CHOICE(key, list, preset, words)                                                       \
	{                                                                                      \
		.name = (key), .kind = FILTER_CHOICE, .choices = (list), .fallback = (preset), \
		.help = (words)                                                                \
	}
#define NUMBER(key, least, most, preset, words)                                      \
	{                                                                            \
		.name = (key), .kind = FILTER_NUMBER, .min = (least), .max = (most), \
		.fallback = (preset), .help = (words)                                \
	}
#define LIMIT(preset) NUMBER("limit", 1, 10000, preset, "rows at most")
#define CURSOR                                                                                 \
	{                                                                                      \
		.name = "cursor", .kind = FILTER_CURSOR, .help = "the next of the page before" \
	}
#define DAYS NUMBER("days", 1, 3650, "30", "how far back")
#define END                  \
	{                    \
		.name = NULL \
	}

static const struct filter NONE[] = { END };
static const struct filter LOGIN[] = { TEXT("code", "the code of a login link"), END };
static const struct filter RUNS[] = {
	CHOICE("status", RUN_STATUSES, NULL, "only runs in this state"),
	TEXT("pipeline", "only runs of this pipeline"),
	CHOICE("sort", RUN_SORTS, "started", "newest first, or longest first"),
	LIMIT("100"),
	CURSOR,
	END,
};
static const struct filter TASKS[] = {
	TEXT("step", "only tasks of this step"),
	CHOICE("status", TASK_STATUSES, NULL, "only tasks in this state"),
	LIMIT("1000"),
	CURSOR,
	END,
};
static const struct filter TOOLS[] = {
	CHOICE("all", ANSWERS, "false",
	       "whether shells, launchers and helpers have rows of their own"),
	END,
};
static const struct filter PROCESSES[] = {
	TEXT("task", "only executions of the task with this id"),
	TEXT("tool", "only executions of this tool"),
	CHOICE("status", PROCESS_STATUSES, NULL, "only executions in this state"),
	LIMIT("1000"),
	CURSOR,
	END,
};
static const struct filter NETWORK[] = {
	TEXT("task", "only executions of the task with this id"),
	TEXT("tool", "only executions of this tool"),
	LIMIT("1000"),
	END,
};
static const struct filter FILES[] = {
	TEXT("task", "only what the task with this id used"),
	TEXT("tool", "only what this tool used"),
	CHOICE("kind", FILE_KINDS, NULL, "only what is of this kind"),
	LIMIT("1000"),
	CURSOR,
	END,
};
static const struct filter SYSCALLS[] = {
	TEXT("task", "only calls of the task with this id"),
	TEXT("tool", "only calls of this tool"),
	CHOICE("class", SYSCALL_CLASSES, NULL, "only calls of this class"),
	LIMIT("1000"),
	END,
};
static const struct filter DATAFLOW[] = { LIMIT("10000"), END };
static const struct filter WHATIF[] = {
	TEXT("cores", "on so many cores, such as 4 or 1.5; without: as many as it had"),
	TEXT("memory", "with so much memory for its tasks at once, such as 8G"),
	TEXT("step",
	     "a step and the part of its time that it takes, such as map:0.5; several: with commas"),
	NUMBER("slots", 1, 1000000, NULL,
	       "so many slots of its engine; without: as it would set them"),
	CHOICE("no_queue", ANSWERS, "false", "whether every task begins when its inputs are there"),
	LIMIT("10000"),
	END,
};
static const struct filter RECOMMEND[] = {
	TEXT("run", "for this run, by id or name"),
	TEXT("pipeline",
	     "for the run in the middle of this pipeline's; neither: for all tasks of the last days"),
	NUMBER("days", 1, 3650, "7", "how far back"),
	TEXT("by", "it is to end by this instant, such as 2026-11-30T08:00Z"),
	TEXT("within", "it is to end within so many seconds"),
	TEXT("below", "it is to cost less than so many USD"),
	TEXT("providers", "of these; lists and patterns such as m6*,c7i.2xlarge, here and below"),
	TEXT("types", "only these types"),
	TEXT("families", "only these families"),
	TEXT("arch", "x86_64, arm64 or any; default: as measured"),
	TEXT("regions", "only these regions; default: as measured"),
	TEXT("purchase", "on_demand, spot; default: both"),
	TEXT("machine", "also a machine such as cpus=2,memory=8G,usd_hour=0.1; several: with ;"),
	CHOICE("burstable", ANSWERS, "false", "burstable types, too"),
	CHOICE("bare_metal", ANSWERS, "false", "bare metal, too"),
	NUMBER("headroom", 0, 90, "10", "per cent of the memory that stay free"),
	NUMBER("limit", 1, 1000, "30", "candidates at most"),
	END,
};
static const struct filter DIFF[] = {
	TEXT("with", "the earlier run: by id or name; without it the last one of the pipeline"),
	END,
};
static const struct filter EVENTS[] = { LIMIT("10000"), END };
static const struct filter CONTAINERS[] = { LIMIT("1000"), END };
static const struct filter SAMPLES[] = {
	CHOICE("by", SAMPLE_KEYS, "run",
	       "one curve for the run, two for its tasks and its engine, or one a task or tool"),
	CHOICE("figures", SAMPLE_FIGURES, "all",
	       "all, or of a run, task or tool only CPU time, runnable_ns, storage and memory"),
	END,
};
static const struct filter HOST[] = {
	NUMBER("hours", 1, 87600, "6", "how far back the samples go"),
	END,
};
static const struct filter UNTRACKED[] = {
	NUMBER("hours", 1, 87600, "6", "how far back"),
	LIMIT("100"),
	END,
};
static const struct filter WASTE[] = {
	NUMBER("days", 1, 3650, "14", "how far back: what ended, sums, hosts"),
	TEXT("at", "what was waste at this instant; instead of now"),
	TEXT("kind", "only this kind"),
	TEXT("user", "only what concerns this user"),
	TEXT("host", "only of this host, by id or name"),
	LIMIT("1000"),
	CHOICE("state", WASTE_STATES, "all", "what goes on, what ended, or both"),
	END,
};
static const struct filter JOBS[] = {
	CHOICE("kind", JOB_KINDS, "check", "what to do"),
	TEXT("run", "forget: this run"),
	TEXT("user", "forget: all runs of this user"),
	TEXT("host", "forget: all of this host, by its id or name"),
	CHOICE("dry", ANSWERS, "false", "forget: only count"),
	END,
};
#define COST_FILTERS                                                                            \
	{ .name = "by",                                                                         \
	  .kind = FILTER_TEXT,                                                                  \
	  .fallback = "pipeline",                                                               \
	  .help = "the key of a row: pipeline, run, step, task, tool, sample, user, host, "     \
		  "instance, container, pod, day, cost_centre or label:KEY" },                  \
		DAYS, TEXT("since", "from this day or instant of UTC on, instead of days"),     \
		TEXT("until", "until this day or instant of UTC; default: now"),                \
		CHOICE("over", PERIODS, NULL, "with the list series, by hour or by day"),       \
		CHOICE("split", COST_SPLITS, NULL,                                              \
		       "by which rule; default: that of the settings, else held"),              \
		TEXT("pipeline", "only of this pipeline"),                                      \
		TEXT("run", "only of the run with this id"), TEXT("step", "only of this step"), \
		TEXT("task", "only of the task with this id"),                                  \
		TEXT("sample", "only of this sample"), TEXT("user", "only of this user"),       \
		TEXT("host", "only of the host with this id"),                                  \
		TEXT("label", "only of runs with this label: KEY:VALUE, or KEY")
static const struct filter COST[] = { COST_FILTERS, LIMIT("1000"), END };
/* A file has all rows. */
static const struct filter COST_CSV[] = {
	COST_FILTERS,
	NUMBER("limit", 1, 10000000, "10000000", "rows at most"),
	END,
};
static const struct filter COST_FOCUS[] = {
	TEXT("since", "from this day or time (UTC) on"),
	TEXT("until", "to before this day or time; default: now"),
	DAYS,
	CHOICE("over", PERIODS, "day", "the charge period of a row"),
	END,
};

static const struct filter BILLS[] = {
	{ .name = "name",
	  .kind = FILTER_TEXT,
	  .fallback = "bill",
	  .help = "how the file is called in answers" },
	TEXT("batch",
	     "the same text for all files of one export; none of them counts before all are here"),
	NUMBER("files", 1, 10000, "1", "how many files the export has"),
	END,
};
static const struct filter BILL[] = {
	CHOICE("hours", ANSWERS, "false", "whether each hour of each instance is listed"),
	LIMIT("10000"),
	END,
};
static const struct filter PRICES[] = {
	{ .name = "list",
	  .kind = FILTER_TEXT,
	  .fallback = "price file",
	  .help = "how the list is called in sources of prices" },
	TEXT("date", "from when on its prices are valid; default: what the file says"),
	END,
};
static const struct filter HOST_PRICE[] = {
	TEXT("host", "of this host, by its id or name"),
	TEXT("usd_hour", "what an hour of it costs"),
	TEXT("since", "from this day or time (UTC) on, or `always`; default: from now on"),
	END,
};

static const struct filter STEPS[] = {
	TEXT("pipeline", "of this pipeline; default: that of the latest run"),
	TEXT("step", "this step alone, with box plots by run"),
	END,
};
static const struct filter AUDIT[] = { LIMIT("100"), END };

/* For engines that can send no header: the token as a parameter (auth.c). */
#define TOKEN TEXT("token", "a tell token, where the client can send no header")
static const struct filter REPORT[] = { TOKEN, END };
/* The client of Tower names the workspace of the server in which it works: this server has none. */
static const struct filter TOWER[] = { TOKEN, TEXT("workspaceId", "not regarded"), END };
static const struct filter WMS[] = { TOKEN, TEXT("name", "what the run is to be called"), END };

#define RUN          "/api/v1/runs/{run}"
#define REPORT_LIMIT (2u << 20)
#define PRICE_FILE_LIMIT \
	(16u << 20) /* of the API; `tracer prices update` sends of a file what it has of prices */
#define TRACE "/receive/tower/trace/"

#define ROUTE(verb, path, needed, most, words, handle)                                        \
	{                                                                                     \
		.method = (verb), .pattern = (path), .scope = (needed), .body_limit = (most), \
		.filters = (words), .handler = (handle),                                      \
	}
#define GET(path, words, handle)                                                             \
	{                                                                                    \
		.method = "GET", .pattern = (path), .scope = SCOPE_READ, .filters = (words), \
		.handler = (handle), .asks_store = true,                                     \
	}
#define GET_ONCE(path, needed, most, words, handle)                                          \
	{                                                                                    \
		.method = "GET", .pattern = (path), .scope = (needed), .body_limit = (most), \
		.filters = (words), .handler = (handle), .no_head = true,                    \
	}
/* Open to readers who may not read all runs, too. */
#define GET_RUNS(path, words, handle)                                                        \
	{                                                                                    \
		.method = "GET", .pattern = (path), .scope = SCOPE_READ, .filters = (words), \
		.handler = (handle), .asks_store = true, .of_runs = true,                    \
	}
/* A list of a run: the rows of a query. The parameters of the query are the run and the filters. */
#define LIST(path, words, handle, sql, name)                                                   \
	{                                                                                      \
		.method = "GET", .pattern = RUN path, .scope = SCOPE_READ, .filters = (words), \
		.handler = (handle), .asks_store = true, .query = (sql), .list = (name),       \
		.of_runs = true,                                                               \
	}

const struct route ROUTES[] = {
	ROUTE("GET", "/healthz", SCOPE_NONE, 0, NONE, get_healthz),
	ROUTE("GET", "/readyz", SCOPE_NONE, 0, NONE, get_readyz),
	GET("/metrics", NONE, get_metrics),
	GET("/api/v1/lake", NONE, get_lake),
	GET_ONCE("/login", SCOPE_NONE, 0, LOGIN, get_login),
	ROUTE("POST", "/logout", SCOPE_NONE, 0, NONE, post_logout),
	ROUTE("POST", "/api/v1/login-links", SCOPE_ADMIN, 0, NONE, post_login_links),
	ROUTE("POST", "/api/v1/ingest", SCOPE_INGEST, BATCH_PACKED_LIMIT, NONE, post_ingest),
	GET_RUNS("/api/v1/runs", RUNS, get_runs),
	GET_RUNS(RUN, NONE, get_run),
	LIST("/tasks", TASKS, get_run_tasks, "tasks", "tasks"),
	LIST("/tools", TOOLS, get_run_list, "tools", "tools"),
	LIST("/processes", PROCESSES, get_run_list, "processes", "processes"),
	LIST("/files", FILES, get_run_list, "files", "files"),
	GET_RUNS(RUN "/dataflow", DATAFLOW, get_run_dataflow),
	GET_RUNS(RUN "/whatif", WHATIF, get_run_whatif),
	GET_RUNS(RUN "/diff", DIFF, get_run_diff),
	GET_RUNS(RUN "/events", EVENTS, get_run_events),
	LIST("/parts", NONE, get_run_list, "parts", "parts"),
	LIST("/containers", CONTAINERS, get_run_list, "containers", "containers"),
	LIST("/network", NETWORK, get_run_list, "networks", "network"),
	GET_RUNS(RUN "/gpus", NONE, get_run_gpus),
	LIST("/io", NETWORK, get_run_list, "io_latencies", "io"),
	LIST("/syscalls", SYSCALLS, get_run_list, "syscalls", "syscalls"),
	GET_RUNS(RUN "/samples", SAMPLES, get_run_samples),
	GET_RUNS(RUN "/findings", NONE, get_run_findings),
	GET_RUNS(RUN "/sizes", NONE, get_run_sizes),
	GET_RUNS(RUN "/expected", NONE, get_run_expected),
	GET_RUNS("/api/v1/recommend", RECOMMEND, get_recommend),
	GET_RUNS("/api/v1/steps", STEPS, get_steps),
	{ .method = "GET",
	  .pattern = RUN "/recording",
	  .scope = SCOPE_READ,
	  .filters = NONE,
	  .handler = get_run_recording,
	  .no_head = true,
	  .of_runs = true },
	GET("/api/v1/hosts", NONE, get_hosts),
	GET("/api/v1/hosts/{host}", HOST, get_host),
	GET("/api/v1/hosts/{host}/untracked", UNTRACKED, get_host_untracked),
	GET("/api/v1/waste", WASTE, get_waste),
	GET_RUNS("/api/v1/cost", COST, get_cost),
	GET_RUNS("/api/v1/cost.csv", COST_CSV, get_cost_csv),
	GET("/api/v1/bills", NONE, get_bills),
	GET("/api/v1/bills/{bill}", BILL, get_bill),
	{ .method = "POST",
	  .pattern = "/api/v1/bills",
	  .scope = SCOPE_ADMIN,
	  .takes_file = true,
	  .filters = BILLS,
	  .handler = post_bills,
	  .asks_store = true },
	{ .method = "GET",
	  .pattern = "/api/v1/cost/focus",
	  .scope = SCOPE_READ,
	  .filters = COST_FOCUS,
	  .handler = get_cost_focus,
	  .asks_store = true,
	  .no_head = true },
	GET("/api/v1/budgets", NONE, get_budgets),
	GET("/api/v1/prices", NONE, get_prices),
	{ .method = "POST",
	  .pattern = "/api/v1/prices",
	  .scope = SCOPE_ADMIN,
	  .body_limit = PRICE_FILE_LIMIT,
	  .filters = PRICES,
	  .handler = post_prices,
	  .asks_store = true },
	{ .method = "POST",
	  .pattern = "/api/v1/prices/host",
	  .scope = SCOPE_ADMIN,
	  .filters = HOST_PRICE,
	  .handler = post_host_price,
	  .asks_store = true },
	ROUTE("POST", "/api/v1/admin/jobs", SCOPE_ADMIN, 0, JOBS, post_jobs),
	ROUTE("GET", "/api/v1/admin/jobs", SCOPE_ADMIN, 0, NONE, get_jobs),
	ROUTE("GET", "/api/v1/admin/audit", SCOPE_ADMIN, 0, AUDIT, get_audit),
	{ .method = "GET",
	  .pattern = "/api/v1/live",
	  .scope = SCOPE_READ,
	  .filters = NONE,
	  .handler = get_live,
	  .no_head = true,
	  .of_runs = true },
	ROUTE("POST", "/receive/weblog", SCOPE_TELL, REPORT_LIMIT, REPORT, post_weblog),
	ROUTE("POST", TRACE "create", SCOPE_TELL, REPORT_LIMIT, TOWER, post_tower_create),
	ROUTE("PUT", TRACE "{workflow}/begin", SCOPE_TELL, REPORT_LIMIT, TOWER, put_tower),
	ROUTE("PUT", TRACE "{workflow}/progress", SCOPE_TELL, REPORT_LIMIT, TOWER, put_tower),
	ROUTE("PUT", TRACE "{workflow}/heartbeat", SCOPE_TELL, REPORT_LIMIT, TOWER,
	      put_tower_alive),
	ROUTE("PUT", TRACE "{workflow}/complete", SCOPE_TELL, REPORT_LIMIT, TOWER, put_tower_alive),
	ROUTE("GET", "/receive/wms/api/service-info", SCOPE_TELL, 0, REPORT, get_wms_info),
	GET_ONCE("/receive/wms/create_workflow", SCOPE_TELL, REPORT_LIMIT, WMS, get_wms_create),
	ROUTE("POST", "/receive/wms/update_workflow_status", SCOPE_TELL, REPORT_LIMIT, REPORT,
	      post_wms_update),
};
const size_t ROUTES_COUNT = sizeof(ROUTES) / sizeof(ROUTES[0]);

const struct route ROUTE_PAGE = ROUTE("GET", "/", SCOPE_NONE, 0, NONE, get_page);
