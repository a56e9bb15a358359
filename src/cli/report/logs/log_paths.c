/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/logs/log_paths.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/lake/row.h"
#include "cli/report/logs/snakemake_log.h"

/* What a way to find logs may use. */
struct search {
	const json_t *run, *task, *files;
	json_t *paths;
};

static void add(struct search *search, const char *path)
{
	const json_t *known;
	size_t i;

	if (path[0] != '/' || json_array_size(search->paths) >= LOG_PATHS_MAX)
		return;
	json_array_foreach(search->paths, i, known)
	{
		if (strcmp(json_string_value(known), path) == 0)
			return;
	}
	json_array_append_new(search->paths, json_string(path));
}

static void add_in(struct search *search, const char *folder, const char *name)
{
	char path[4096];

	if (*folder && (size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) < sizeof(path))
		add(search, path);
}

static void add_nextflow(struct search *search)
{
	static const char *const names[] = { ".command.err", ".command.log", ".command.out" };
	const char *folder = row_text(search->task, "folder");

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		add_in(search, folder, names[i]);
}

/* Adds the files that were written and have such a name: those of the task, or of no task. */
static void add_written(struct search *search, bool of_task, bool (*is_named)(const char *path))
{
	const char *id = row_text(search->task, "id");
	const json_t *file;
	size_t i;

	json_array_foreach(search->files, i, file)
	{
		const char *path = row_text(file, "path"), *task = row_text(file, "task_id");

		if (json_is_true(json_object_get(file, "writes")) &&
		    strcmp(row_text(file, "kind"), "file") == 0 &&
		    strcmp(task, of_task ? id : "") == 0 && is_named(path))
			add(search, path);
	}
}

static bool is_error_log(const char *path)
{
	return text_ends_with(path, ".err") || text_ends_with(path, ".stderr");
}

static bool is_log(const char *path)
{
	static const char *const suffixes[] = { ".log", ".out", ".stdout", "/log", ".log.txt" };

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++)
		if (text_ends_with(path, suffixes[i]))
			return true;
	return is_error_log(path);
}

static bool is_snakemake_log(const char *path)
{
	return strstr(path, "/.snakemake/log/") && text_ends_with(path, SNAKEMAKE_LOG);
}

static void add_of_task(struct search *search)
{
	add_written(search, true, is_error_log);
	add_written(search, true, is_log);
}

static void add_snakemake(struct search *search)
{
	add_written(search, false, is_snakemake_log);
}

/* In the folder of the job, by its number: where the file was not seen to be opened. */
static void add_slurm(struct search *search)
{
	const char *job = row_text(json_object_get(search->run, "labels"), "slurm_job_id");
	char name[64];

	if (*job && !strchr(job, '/') &&
	    (size_t)snprintf(name, sizeof(name), "slurm-%s.out", job) < sizeof(name))
		add_in(search, row_text(search->run, "cwd"), name);
}

/* What a run without tasks redirects. */
static void add_of_run(struct search *search)
{
	if (search->task)
		return;
	add_written(search, false, is_error_log);
	add_written(search, false, is_log);
}

json_t *log_paths_of(const json_t *run, const json_t *task, const json_t *files)
{
	static void (*const ways[])(struct search *) = { add_nextflow, add_of_task, add_slurm,
							 add_snakemake, add_of_run };
	struct search search = { run, task, files, json_array() };

	for (size_t i = 0; search.paths && i < sizeof(ways) / sizeof(*ways); i++)
		ways[i](&search);
	return search.paths;
}
