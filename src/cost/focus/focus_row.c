/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/focus/focus_row.h"

#include <jansson.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/text.h"

/* Tags of Tracer begin with it, labels of runs with nothing: FOCUS lets one scheme have no prefix.
 */
#define PREFIX "tracer:"

static void write_pair(struct json *json, const char *key, const char *value)
{
	if (!value || !*value)
		return;
	json_key(json, key);
	json_text(json, value);
}

/* A value that is no text is not a label. A label that looks like a tag of Tracer becomes another.
 */
static void write_label(struct json *json, const char *key, const char *value)
{
	struct buffer name CLEANUP(buffer_clear) = { 0 };

	if (!value)
		return;
	buffer_init(&name, 0);
	buffer_append_text(&name, text_starts_with(key, PREFIX) ? "label:" : "");
	buffer_append_text(&name, key);
	if (name.failed) {
		json->out->failed = true;
		return;
	}
	json_key(json, name.data);
	json_text(json, value);
}

static void write_labels(struct json *json, const char *labels)
{
	json_t *object =
		labels && *labels ? json_loads(labels, JSON_REJECT_DUPLICATES, NULL) : NULL;
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) write_label(json, key, json_string_value(value));
	json_decref(object);
}

static void write_work(struct json *json, const struct focus_row *row)
{
	const struct sheet_task *task = row->task;
	const struct sheet_run *run = row->run;
	const struct {
		const char *key, *value;
	} pairs[] = {
		{ PREFIX "pipeline", run->pipeline }, { PREFIX "run", run->name },
		{ PREFIX "run_id", run->id },         { PREFIX "engine", run->engine },
		{ PREFIX "user", run->user },         { PREFIX "task_id", task->id },
		{ PREFIX "task", task->name },        { PREFIX "step", task->step },
		{ PREFIX "sample", task->sample },    { PREFIX "container", task->container },
		{ PREFIX "pod", task->pod },          { PREFIX "tool", row->tool },
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		write_pair(json, pairs[i].key, pairs[i].value);
	write_labels(json, run->labels);
}

void focus_row_tags(const struct focus_row *row, struct buffer *out)
{
	struct json json;

	json_init(&json, out, false);
	json_object_begin(&json);
	write_pair(&json, PREFIX "host", row->host->hostname);
	if (row->task) {
		write_work(&json, row);
	} else {
		json_key(&json, PREFIX "idle");
		json_bool(&json, true); /* a key without a value, as FOCUS writes it */
	}
	json_object_end(&json);
}

void focus_row_sku_details(const struct focus_row *row, struct buffer *out)
{
	const struct sheet_host *host = row->host;
	struct json json;

	json_init(&json, out, false);
	json_object_begin(&json);
	if (host->cpus > 0) {
		json_key(&json, "CoreCount");
		json_double(&json, host->cpus);
	}
	write_pair(&json, "InstanceType", host->instance_type);
	if (host->memory_bytes) {
		json_key(&json, "MemorySize"); /* GiB */
		json_double(&json, (double)host->memory_bytes / (double)(1 << 30));
	}
	json_object_end(&json);
}

void focus_row_describe(const struct focus_row *row, struct buffer *out)
{
	const struct sheet_task *task = row->task;

	if (!task)
		buffer_append_text(out, "Idle: no run held it");
	else if (!*task->id)
		buffer_printf(out, "Engine of run %s", row->run->name);
	else
		buffer_printf(out, "Task %s of run %s", *task->name ? task->name : task->id,
			      row->run->name);
	buffer_printf(out, ", on %s", row->host->hostname);
}
