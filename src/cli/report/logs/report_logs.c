/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/logs/report_logs.h"

#include <limits.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/lake/client.h"
#include "cli/lake/row.h"
#include "cli/report/logs/log_paths.h"
#include "cli/report/logs/log_tail.h"
#include "cli/report/logs/snakemake_log.h"
#include "cli/terminal/print.h"

#define TASKS_MOST 3 /* failed tasks with logs shown */
#define LOGS_MOST  2 /* logs shown of one task */
#define FILES_MOST 10000

static int fetch(const struct common *common, const json_t *run, const char *rest, const char *list,
		 json_t **ret, struct error *err)
{
	struct buffer path CLEANUP(buffer_clear) = { 0 };

	buffer_init(&path, 4096);
	buffer_append_text(&path, "/runs/");
	client_escape(&path, row_text(run, "id"));
	buffer_append_text(&path, rest);
	return client_get_all(common, path.data, list, FILES_MOST, ret, err);
}

/* Appends the files of one task (NULL: the first of the whole run) to files. */
static int fetch_files(const struct common *common, const json_t *run, const char *task,
		       json_t *files, struct error *err)
{
	struct buffer rest CLEANUP(buffer_clear) = { 0 };
	json_t *answer CLEANUP(json_decrefp) = NULL;
	int status;

	buffer_init(&rest, 4096);
	buffer_printf(&rest, "/files?limit=%d&kind=file", FILES_MOST);
	if (task) {
		buffer_append_text(&rest, "&task=");
		client_escape(&rest, task);
	}
	status = fetch(common, run, rest.data, "files", &answer, err);
	if (status == 0)
		json_array_extend(files, json_object_get(answer, "files"));
	return status;
}

/* Whether the files of a task, or of a run, are files of this host. */
static bool is_here(const json_t *run, const json_t *task)
{
	const json_t *hosts = json_object_get(run, "hosts");
	struct utsname names;
	const char *host;

	if (json_object_get(json_object_get(run, "labels"), "recorded") || uname(&names) < 0)
		return false;
	host = task ? row_text(task, "host") : json_string_value(json_array_get(hosts, 0));
	return host && (task || json_array_size(hosts) == 1) && strcmp(host, names.nodename) == 0;
}

static void print_subject(FILE *out, const json_t *task)
{
	fputs("Log of ", out);
	if (!task) {
		fputs("the run\n", out);
		return;
	}
	fputs("task ", out);
	print_text(out, row_text(task, "name"));
	putc('\n', out);
}

/* Prints the first logs that have something to show, and why if none does. */
static void print_logs(FILE *out, const json_t *paths)
{
	size_t shown = 0, i;
	const json_t *path;

	json_array_foreach(paths, i, path)
	{
		const char *name = json_string_value(path);

		if (shown < LOGS_MOST && log_tail_print(out, name) == 0)
			shown++;
	}
	if (shown > 0)
		return;
	if (json_array_size(paths) == 0)
		fputs("  no file is known that has it\n", out);
	json_array_foreach(paths, i, path)
	{
		fputs("  nothing to show in ", out);
		print_text(out, json_string_value(path));
		putc('\n', out);
	}
}

/* Snakemake's own log is among the files of the engine, unless that had too many files. */
static void add_snakemake(json_t *paths, const json_t *run)
{
	char path[PATH_MAX];
	const json_t *known;
	size_t i;

	json_array_foreach(paths, i, known)
	{
		if (text_ends_with(json_string_value(known), SNAKEMAKE_LOG))
			return;
	}
	if (strcmp(row_text(run, "engine"), "snakemake") == 0 &&
	    snakemake_log_find(row_text(run, "cwd"), row_text(run, "started_at"),
			       row_text(run, "ended_at"), path, sizeof(path)))
		json_array_append_new(paths, json_string(path));
}

static int print_of(FILE *out, const struct common *common, const json_t *run, const json_t *task,
		    struct error *err)
{
	json_t *files CLEANUP(json_decrefp) = json_array(), *paths CLEANUP(json_decrefp) = NULL;
	int status = 0;

	putc('\n', out);
	print_subject(out, task);
	if (!is_here(run, task)) {
		fputs("  not on this host: ", out);
		print_text(out, task && *row_text(task, "host") ? row_text(task, "host")
								: "the run was elsewhere");
		putc('\n', out);
		return 0;
	}
	if (task)
		status = fetch_files(common, run, row_text(task, "id"), files, err);
	if (status == 0)
		status = fetch_files(common, run, NULL, files, err);
	if (status < 0)
		return status;
	paths = log_paths_of(run, task, files);
	add_snakemake(paths, run);
	print_logs(out, paths);
	return 0;
}

static bool has_failed(const json_t *object)
{
	const char *status = row_text(object, "status");

	return strcmp(status, "failed") == 0 || strcmp(status, "killed") == 0;
}

int report_logs_print(FILE *out, const struct common *common, const json_t *document,
		      struct error *err)
{
	json_t *answer CLEANUP(json_decrefp) = NULL;
	const json_t *run = json_object_get(document, "run"), *task;
	size_t failed = 0, i;
	int status = fetch(common, run, "/tasks?limit=10000", "tasks", &answer, err);

	if (status < 0)
		return status;
	json_array_foreach(json_object_get(answer, "tasks"), i, task)
	{
		if (has_failed(task) && failed++ < TASKS_MOST)
			status = print_of(out, common, run, task, err);
		if (status < 0)
			return status;
	}
	if (failed > TASKS_MOST)
		fprintf(out, "\n… and %zu more tasks failed: `tracer tasks`\n",
			failed - TASKS_MOST);
	if (failed == 0 && has_failed(run))
		return print_of(out, common, run, NULL, err);
	if (failed == 0)
		fputs("\nNo task failed, so no log is shown.\n", out);
	return 0;
}
