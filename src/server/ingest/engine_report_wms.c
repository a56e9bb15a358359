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
 * begins: its rule, wildcards, outputs), "shellcmd", the command of the job reported just before,
 * and "job_error", with both. A "shellcmd" that runs a script comes from another thread, at any
 * time: it is of no use.
 */

/* The decoded value of a field of the form; *ret NULL: there is none. free() it. */
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

/* The wildcard of this name; else all of them, as agents read them from the arguments of a job. */
static void set_sample(struct engine_report *report, Signal__ToldTask *task, json_t *wildcards)
{
	const char *name;
	json_t *value;
	size_t len = 0;
	char all[ENGINE_REPORT_NAME_MAX] = "";

	json_object_foreach(wildcards, name, value)
	{
		const char *text = json_is_string(value) ? json_string_value(value) : "";
		size_t more = strlen(text);

		if (more && strcasestr(name, "sample")) {
			engine_report_set_text(report, &task->sample, text);
			return;
		}
		if (!more || len + more + 2 > sizeof(all))
			continue;
		if (len)
			all[len++] = '.';
		memcpy(all + len, text, more + 1);
		len += more;
	}
	engine_report_set_text(report, &task->sample, all);
}

/* As agents call one: "sort (liver)". */
static void name_job(struct engine_report *report, Signal__ToldTask *task)
{
	char name[2 * ENGINE_REPORT_NAME_MAX + 4];

	snprintf(name, sizeof(name), *task->sample ? "%s (%s)" : "%s", task->step, task->sample);
	engine_report_set_text(report, &task->name, *task->step ? name : "");
}

static int read_job(struct engine_report *report, Signal__ToldTask *task, const json_t *msg,
		    struct error *err)
{
	char job[ENGINE_REPORT_ID_MAX + 1];
	const json_t *outputs = json_object_get(msg, "output");
	int rc = engine_report_id(msg, "jobid", job, err);

	if (rc)
		return rc;
	engine_report_set_text(report, &task->task, job);
	engine_report_set(report, &task->step, json_object_get(msg, "name"));
	set_sample(report, task, json_object_get(msg, "wildcards"));
	engine_report_set_text(report, &task->status, "running");
	name_job(report, task);
	for (size_t i = 0; i < json_array_size(outputs); i++) {
		const char *path = json_string_value(json_array_get(outputs, i));

		if (path)
			engine_report_add_output(report, task, path);
	}
	return 0;
}

static int read_msg(struct engine_report *report, const char *id, const json_t *msg,
		    struct error *err)
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
	task = engine_report_task(report, id, "wms-monitor");
	if (!task)
		return engine_report_end(report, 0, err);
	if (command)
		engine_report_set_command(report, &task->command, command);
	return shell ? 0 : read_job(report, task, msg, err);
}

int engine_report_from_wms(struct engine_report *report, const char *form, size_t len,
			   struct error *err)
{
	CLEANUP(freep) char *text = NULL;
	CLEANUP(freep) char *id = NULL;
	CLEANUP(json_decrefp) json_t *msg = NULL;
	int rc_id = read_field(form, len, "id", &id, err);
	int rc = read_field(form, len, "msg", &text, err);

	if (rc_id || rc)
		return rc_id ? rc_id : rc;
	if (!id || !*id || strlen(id) > ENGINE_REPORT_ID_MAX || !text)
		return error_set(err, -EPROTO,
				 "an update has the id that /create_workflow gave, and a msg");
	rc = engine_report_read(text, strlen(text), &msg, err);
	return engine_report_end(report, rc ? rc : read_msg(report, id, msg, err), err);
}

int engine_report_from_wms_create(struct engine_report *report, const char *id, const char *name,
				  int64_t now_at, const char *form, size_t len, struct error *err)
{
	CLEANUP(freep) char *folder = NULL, *command = NULL;
	Signal__ToldRun *run = engine_report_run(report, id, "wms-monitor", "snakemake");

	if (!run)
		return engine_report_end(report, 0, err);
	/* Snakemake ends where it gets no id: what cannot be read only is not known. */
	(void)read_field(form, len, "workdir", &folder, NULL);
	(void)read_field(form, len, "command", &command, NULL);
	engine_report_set_text(report, &run->name, name ? name : "");
	engine_report_set_text(report, &run->cwd, folder ? folder : "");
	engine_report_set_command(report, &run->command, command ? command : "");
	run->begun_at = now_at;
	return engine_report_end(report, 0, err);
}
