/* SPDX-License-Identifier: Apache-2.0 */
#include "server/ingest/engine_report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "server/http/percent.h"

/*
 * Snakemake's --wms-monitor (7.x; snakemake/logging.py, WMSLogger): GET /create_workflow with a
 * form (snakefile, command, workdir), then POST /update_workflow_status with a form (id, msg,
 * timestamp) for each line of its log, one after another. Of these are heard: "job_info" (a job
 * begins: its rule, wildcards, outputs), "shellcmd", the command of the job told of just before,
 * and "job_error", with both. A "shellcmd" that runs a script comes from another thread, at any
 * time: it is of no use.
 */

/* The value of a form's field, decoded; *ret NULL: there is none. free() it. */
static int read_field(const char *form, size_t len, const char *name, char **ret, struct error *err)
{
	size_t name_len = strlen(name);

	*ret = NULL;
	while (len) {
		const char *end = memchr(form, '&', len);
		size_t pair = end ? (size_t)(end - form) : len;

		if (pair > name_len && form[name_len] == '=' && !memcmp(form, name, name_len)) {
			*ret = malloc(pair - name_len);
			if (!*ret)
				return error_set(err, -ENOMEM, "out of memory");
			if (percent_decode(form + name_len + 1, pair - name_len - 1, true, *ret,
					   pair - name_len) == 0)
				return 0;
			free(*ret);
			*ret = NULL;
			return error_set(err, -EPROTO, "%s is no percent-encoded UTF-8", name);
		}
		form += pair;
		len -= pair;
		if (len) {
			form++;
			len--;
		}
	}
	return 0;
}

/* The wildcard that is called so; else all, as agents have it of a job's own arguments. */
static void set_sample(struct told *told, Signal__ToldTask *task, json_t *wildcards)
{
	const char *name;
	json_t *value;
	size_t len = 0;
	char all[TOLD_NAME_MAX] = "";

	json_object_foreach(wildcards, name, value)
	{
		const char *text = json_is_string(value) ? json_string_value(value) : "";
		size_t more = strlen(text);

		if (more && strcasestr(name, "sample")) {
			told_set_text(told, &task->sample, text);
			return;
		}
		if (!more || len + more + 2 > sizeof(all))
			continue;
		if (len)
			all[len++] = '.';
		memcpy(all + len, text, more + 1);
		len += more;
	}
	told_set_text(told, &task->sample, all);
}

/* As agents call one: "sort (liver)". */
static void name_job(struct told *told, Signal__ToldTask *task)
{
	char name[2 * TOLD_NAME_MAX + 4];

	snprintf(name, sizeof(name), *task->sample ? "%s (%s)" : "%s", task->step, task->sample);
	told_set_text(told, &task->name, *task->step ? name : "");
}

static int read_job(struct told *told, Signal__ToldTask *task, const json_t *msg, struct error *err)
{
	char job[TOLD_ID_MAX + 1];
	const json_t *outputs = json_object_get(msg, "output");
	int rc = told_id(msg, "jobid", job, err);

	if (rc)
		return rc;
	told_set_text(told, &task->task, job);
	told_set(told, &task->step, json_object_get(msg, "name"));
	set_sample(told, task, json_object_get(msg, "wildcards"));
	told_set_text(told, &task->status, "running");
	name_job(told, task);
	for (size_t i = 0; i < json_array_size(outputs); i++) {
		const char *path = json_string_value(json_array_get(outputs, i));

		if (path)
			told_add_output(told, task, path);
	}
	return 0;
}

static int read_msg(struct told *told, const char *id, const json_t *msg, struct error *err)
{
	const char *level = json_string_value(json_object_get(msg, "level"));
	bool shell = level && strcmp(level, "shellcmd") == 0;
	bool job = level && (strcmp(level, "job_info") == 0 || strcmp(level, "job_error") == 0);
	const char *command = json_string_value(json_object_get(msg, shell ? "msg" : "shellcmd"));
	Signal__ToldTask *task;

	if (!level)
		return error_set(err, -EPROTO, "the message lacks a level");
	if (shell && (!command || strstr(command, "/.snakemake/scripts/")))
		return 0;
	if (!job && !shell)
		return 0;
	task = told_task(told, id, "wms-monitor");
	if (!task)
		return told_end(told, 0, err);
	if (command)
		told_set_command(told, &task->command, command);
	return shell ? 0 : read_job(told, task, msg, err);
}

int told_from_wms(struct told *told, const char *form, size_t len, struct error *err)
{
	CLEANUP(freep) char *text = NULL;
	CLEANUP(freep) char *id = NULL;
	CLEANUP(json_decrefp) json_t *msg = NULL;
	int rc_id = read_field(form, len, "id", &id, err);
	int rc = read_field(form, len, "msg", &text, err);

	if (rc_id || rc)
		return rc_id ? rc_id : rc;
	if (!id || !*id || strlen(id) > TOLD_ID_MAX || !text)
		return error_set(err, -EPROTO,
				 "an update has the id that /create_workflow gave, and a msg");
	rc = told_read(text, strlen(text), &msg, err);
	return told_end(told, rc ? rc : read_msg(told, id, msg, err), err);
}

int told_from_wms_create(struct told *told, const char *id, const char *name, int64_t now_at,
			 const char *form, size_t len, struct error *err)
{
	CLEANUP(freep) char *folder = NULL, *command = NULL;
	Signal__ToldRun *run = told_run(told, id, "wms-monitor", "snakemake");

	if (!run)
		return told_end(told, 0, err);
	/* Snakemake ends where it gets no id: what cannot be read only is not known. */
	(void)read_field(form, len, "workdir", &folder, NULL);
	(void)read_field(form, len, "command", &command, NULL);
	told_set_text(told, &run->name, name ? name : "");
	told_set_text(told, &run->cwd, folder ? folder : "");
	told_set_command(told, &run->command, command ? command : "");
	run->begun_at = now_at;
	return told_end(told, 0, err);
}
