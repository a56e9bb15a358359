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
static const char *const ANSWERS[] = { "true", "false", NULL };
static const char *const SAMPLE_KEYS[] = { "run", "task", "tool", NULL };
static const char *const COST_KEYS[] = {
	"pipeline", "run", "step", "tool", "user", "instance", NULL
};

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
static const struct filter EVENTS[] = { LIMIT("10000"), END };
static const struct filter CONTAINERS[] = { LIMIT("1000"), END };
static const struct filter SAMPLES[] = {
	CHOICE("by", SAMPLE_KEYS, "run", "one curve for the run, or one a task or tool"),
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
static const struct filter WASTE[] = { DAYS, END };
static const struct filter COST[] = {
	CHOICE("by", COST_KEYS, "pipeline", "what a row stands for"),
	DAYS,
	END,
};

/* Of engines: who can send no header gives its token so (auth.c). */
#define TOKEN TEXT("token", "a tell token, where the client can send no header")
static const struct filter TOLD[] = { TOKEN, END };
/* Tower's client says in which of a server's workspaces it works: this one has none. */
static const struct filter TOWER[] = { TOKEN, TEXT("workspaceId", "not regarded"), END };
static const struct filter WMS[] = { TOKEN, TEXT("name", "what the run is to be called"), END };

#define RUN        "/api/v1/runs/{run}"
#define TOLD_LIMIT (2u << 20)
#define TRACE      "/receive/tower/trace/"

const struct route ROUTES[] = {
	{ "GET", "/healthz", SCOPE_NONE, 0, NONE, get_healthz, false },
	{ "GET", "/readyz", SCOPE_NONE, 0, NONE, get_readyz, false },
	{ "GET", "/metrics", SCOPE_READ, 0, NONE, get_metrics, false },
	{ "GET", "/login", SCOPE_NONE, 0, LOGIN, get_login, true },
	{ "POST", "/api/v1/login-links", SCOPE_ADMIN, 0, NONE, post_login_links, false },
	{ "POST", "/api/v1/ingest", SCOPE_INGEST, BATCH_PACKED_LIMIT, NONE, post_ingest, false },
	{ "GET", "/api/v1/runs", SCOPE_READ, 0, RUNS, get_runs, false },
	{ "GET", RUN, SCOPE_READ, 0, NONE, get_run, false },
	{ "GET", RUN "/tasks", SCOPE_READ, 0, TASKS, get_run_tasks, false },
	{ "GET", RUN "/tools", SCOPE_READ, 0, TOOLS, get_run_tools, false },
	{ "GET", RUN "/processes", SCOPE_READ, 0, PROCESSES, get_run_processes, false },
	{ "GET", RUN "/files", SCOPE_READ, 0, FILES, get_run_files, false },
	{ "GET", RUN "/dataflow", SCOPE_READ, 0, DATAFLOW, get_run_dataflow, false },
	{ "GET", RUN "/events", SCOPE_READ, 0, EVENTS, get_run_events, false },
	{ "GET", RUN "/parts", SCOPE_READ, 0, NONE, get_run_parts, false },
	{ "GET", RUN "/containers", SCOPE_READ, 0, CONTAINERS, get_run_containers, false },
	{ "GET", RUN "/network", SCOPE_READ, 0, NETWORK, get_run_network, false },
	{ "GET", RUN "/gpus", SCOPE_READ, 0, NONE, get_run_gpus, false },
	{ "GET", RUN "/io", SCOPE_READ, 0, NETWORK, get_run_io, false },
	{ "GET", RUN "/syscalls", SCOPE_READ, 0, SYSCALLS, get_run_syscalls, false },
	{ "GET", RUN "/samples", SCOPE_READ, 0, SAMPLES, get_run_samples, false },
	{ "GET", RUN "/findings", SCOPE_READ, 0, NONE, get_run_findings, false },
	{ "GET", RUN "/recording", SCOPE_READ, 0, NONE, get_run_recording, true },
	{ "GET", "/api/v1/hosts", SCOPE_READ, 0, NONE, get_hosts, false },
	{ "GET", "/api/v1/hosts/{host}", SCOPE_READ, 0, HOST, get_host, false },
	{ "GET", "/api/v1/hosts/{host}/untracked", SCOPE_READ, 0, UNTRACKED, get_host_untracked,
	  false },
	{ "GET", "/api/v1/waste", SCOPE_READ, 0, WASTE, get_waste, false },
	{ "GET", "/api/v1/cost", SCOPE_READ, 0, COST, get_cost, false },
	{ "GET", "/api/v1/live", SCOPE_READ, 0, NONE, get_live, true },
	{ "POST", "/receive/weblog", SCOPE_TELL, TOLD_LIMIT, TOLD, post_weblog, false },
	{ "POST", TRACE "create", SCOPE_TELL, TOLD_LIMIT, TOWER, post_tower_create, false },
	{ "PUT", TRACE "{workflow}/begin", SCOPE_TELL, TOLD_LIMIT, TOWER, put_tower, false },
	{ "PUT", TRACE "{workflow}/progress", SCOPE_TELL, TOLD_LIMIT, TOWER, put_tower, false },
	{ "PUT", TRACE "{workflow}/heartbeat", SCOPE_TELL, TOLD_LIMIT, TOWER, put_tower_alive,
	  false },
	{ "PUT", TRACE "{workflow}/complete", SCOPE_TELL, TOLD_LIMIT, TOWER, put_tower_alive,
	  false },
	{ "GET", "/receive/wms/api/service-info", SCOPE_TELL, 0, TOLD, get_wms_info, false },
	{ "GET", "/receive/wms/create_workflow", SCOPE_TELL, TOLD_LIMIT, WMS, get_wms_create,
	  true },
	{ "POST", "/receive/wms/update_workflow_status", SCOPE_TELL, TOLD_LIMIT, TOLD,
	  post_wms_update, false },
};
const size_t ROUTES_COUNT = sizeof(ROUTES) / sizeof(ROUTES[0]);

const struct route ROUTE_PAGE = { "GET", "/", SCOPE_NONE, 0, NONE, get_page, false };
