/* SPDX-License-Identifier: Apache-2.0 */
#include "server/ingest/engine_report.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "signal/batch.h"
#include "signal/redact/redact.h"

void engine_report_init(struct engine_report *report)
{
	report->failed = false;
	report->batch = calloc(1, sizeof(*report->batch));
	if (report->batch)
		signal__batch__init(report->batch);
	else
		report->failed = true;
}

void engine_report_clear(struct engine_report *report)
{
	batch_free(report->batch);
	report->batch = NULL;
}

int engine_report_end(const struct engine_report *report, int rc, struct error *err)
{
	return rc == 0 && report->failed ? error_set(err, -ENOMEM, "out of memory") : rc;
}

NO_LEAK_ANALYSIS

/* Room for one more pointer of a repeated field; NULL: report->failed. */
static void **grow(struct engine_report *report, void *list, size_t count)
{
	void **grown = report->failed ? NULL : realloc(list, (count + 1) * sizeof(*grown));

	report->failed = report->failed || !grown;
	return grown;
}

static void set(struct engine_report *report, char **field, const char *text, size_t len)
{
	char *copy = strndup(text, len);

	if (!copy) {
		report->failed = true;
		return;
	}
	if (*field != protobuf_c_empty_string)
		free(*field);
	*field = copy;
}

/* A record more in a repeated field of the batch, zeroed. */
static void *add(struct engine_report *report, void *list_field, size_t *count, size_t size)
{
	void **grown = grow(report, *(void **)list_field, *count);
	void *record;

	if (!grown)
		return NULL;
	*(void ***)list_field = grown;
	record = calloc(1, size);
	report->failed = !record;
	if (record)
		grown[(*count)++] = record;
	return record;
}

Signal__ToldRun *engine_report_run(struct engine_report *report, const char *id,
				   const char *said_by, const char *engine)
{
	Signal__Batch *batch = report->batch;
	Signal__ToldRun *run =
		batch ? add(report, &batch->told_runs, &batch->n_told_runs, sizeof(*run)) : NULL;

	if (!run)
		return NULL;
	signal__told_run__init(run);
	set(report, &run->told_id, id, strlen(id));
	set(report, &run->said_by, said_by, strlen(said_by));
	set(report, &run->engine, engine, strlen(engine));
	return run;
}

Signal__ToldTask *engine_report_task(struct engine_report *report, const char *id,
				     const char *said_by)
{
	Signal__Batch *batch = report->batch;
	Signal__ToldTask *task =
		batch ? add(report, &batch->told_tasks, &batch->n_told_tasks, sizeof(*task)) : NULL;

	if (!task)
		return NULL;
	signal__told_task__init(task);
	set(report, &task->told_id, id, strlen(id));
	set(report, &task->said_by, said_by, strlen(said_by));
	return task;
}

void engine_report_set_text(struct engine_report *report, char **field, const char *text)
{
	CLEANUP(buffer_clear) struct buffer masked = { 0 };
	size_t len;

	buffer_init(&masked, 0);
	redact_text(text, &masked);
	if (masked.failed) {
		report->failed = true;
		return;
	}
	len = masked.len < ENGINE_REPORT_NAME_MAX ? masked.len : ENGINE_REPORT_NAME_MAX;
	while (len && !utf8_valid(masked.data, len))
		len--;
	set(report, field, masked.data, len);
}

void engine_report_set(struct engine_report *report, char **field, const json_t *value)
{
	if (json_is_string(value))
		engine_report_set_text(report, field, json_string_value(value));
}

/* The command as part of an argument vector: a mask may depend on the arguments around it. */
void engine_report_set_command(struct engine_report *report, char **field, const char *text)
{
	const char *const args[] = { "bash", "-c", text };
	CLEANUP(buffer_clear) struct buffer masked = { 0 };
	const char *command;

	if (strlen(text) > ENGINE_REPORT_COMMAND_MAX)
		return;
	buffer_init(&masked, 0);
	redact_argv(args, 3, &masked);
	if (masked.failed) {
		report->failed = true;
		return;
	}
	command = masked.data + sizeof("bash") + sizeof("-c");
	command += strspn(command, " \t\r\n");
	set(report, field, command, strlen(command));
	for (size_t len = strlen(*field); len && strchr(" \t\r\n", (*field)[len - 1]); len--)
		(*field)[len - 1] = '\0';
}

void engine_report_add_output(struct engine_report *report, Signal__ToldTask *task,
			      const char *path)
{
	void **list;

	if (task->n_outputs == ENGINE_REPORT_OUTPUTS_MAX)
		return;
	list = grow(report, task->outputs, task->n_outputs);
	if (!list)
		return;
	task->outputs = (char **)list;
	task->outputs[task->n_outputs++] = (char *)(uintptr_t)protobuf_c_empty_string;
	engine_report_set_text(report, &task->outputs[task->n_outputs - 1], path);
}

int engine_report_read(const char *bytes, size_t len, json_t **ret, struct error *err)
{
	json_error_t why;
	json_t *read = json_loadb(bytes ? bytes : "", len, 0, &why);

	if (!read)
		return error_set(err, -EPROTO, "the message is no JSON: line %d: %s", why.line,
				 why.text);
	if (!json_is_object(read)) {
		json_decref(read);
		return error_set(err, -EPROTO, "the message is no JSON object");
	}
	*ret = read;
	return 0;
}

int engine_report_id(const json_t *object, const char *key, char id[ENGINE_REPORT_ID_MAX + 1],
		     struct error *err)
{
	const json_t *value = json_object_get(object, key);

	if (json_is_integer(value)) {
		snprintf(id, ENGINE_REPORT_ID_MAX + 1, "%" PRId64,
			 (int64_t)json_integer_value(value));
		return 0;
	}
	if (!json_is_string(value) || !json_string_length(value))
		return error_set(err, -EPROTO, "the message lacks %s", key);
	if (json_string_length(value) > ENGINE_REPORT_ID_MAX)
		return error_set(err, -EPROTO, "%s may have %d bytes", key, ENGINE_REPORT_ID_MAX);
	snprintf(id, ENGINE_REPORT_ID_MAX + 1, "%s", json_string_value(value));
	return 0;
}

static bool read_two(const char *digits, int *ret)
{
	*ret = (digits[0] - '0') * 10 + digits[1] - '0';
	return isdigit((unsigned char)digits[0]) && isdigit((unsigned char)digits[1]);
}

/* The offset from UTC in seconds, from the text behind a time: "Z", "+01:00". */
static bool read_zone(const char *zone, int64_t *ret)
{
	int hours, minutes;

	*ret = 0;
	if (strcmp(zone, "Z") == 0)
		return true;
	if ((*zone != '+' && *zone != '-') || strlen(zone) != strlen("+01:00") || zone[3] != ':' ||
	    !read_two(zone + 1, &hours) || !read_two(zone + 4, &minutes) || hours > 18 ||
	    minutes > 59)
		return false;
	*ret = (*zone == '+' ? 1 : -1) * (hours * 3600 + minutes * 60);
	return true;
}

static int64_t read_time(const char *text)
{
	struct tm tm = { 0 };
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M", &tm);
	int64_t fraction_ns = 0, unit_ns = NS_PER_S, east_s;
	time_t seconds;

	if (!rest || tm.tm_year < 70 || tm.tm_year > 300)
		return 0;
	if (*rest == ':')
		rest = strptime(rest, ":%S", &tm);
	if (rest && *rest == '.')
		for (rest++; *rest >= '0' && *rest <= '9'; rest++)
			fraction_ns += (unit_ns /= 10) * (*rest - '0');
	if (!rest || !read_zone(rest, &east_s))
		return 0;
	seconds = timegm(&tm);
	return (seconds - east_s) * NS_PER_S + fraction_ns;
}

int64_t engine_report_time(const json_t *value)
{
	int64_t ms = json_integer_value(value);

	if (json_is_string(value))
		return read_time(json_string_value(value));
	return ms > 0 && ms < INT64_MAX / NS_PER_MS ? ms * NS_PER_MS : 0;
}
