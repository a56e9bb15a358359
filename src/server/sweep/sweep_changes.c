/* SPDX-License-Identifier: Apache-2.0 */
#include "server/sweep/sweep_changes.h"

#include <errno.h>
#include <string.h>

#include "cost/price.h"
#include "lake/store/change/store_change.h"
#include "server/query/query.h"
#include "server/server.h"
#include "sweep/sweep.h"

void sweep_changes_begin(struct sweep_changes *changes)
{
	buffer_init(&changes->found, 0);
	buffer_init(&changes->ended, 0);
	json_init(&changes->found_json, &changes->found, false);
	json_init(&changes->ended_json, &changes->ended, false);
	json_array_begin(&changes->found_json);
	json_array_begin(&changes->ended_json);
}

void sweep_changes_clear(struct sweep_changes *changes)
{
	buffer_clear(&changes->found);
	buffer_clear(&changes->ended);
}

static void write_text(struct json *json, const char *key, const char *text)
{
	json_key(json, key);
	json_text(json, text);
}

static void write_us(struct json *json, const char *key, int64_t at_ns)
{
	json_key(json, key);
	json_i64(json, at_ns / 1000);
}

static void write_usd(struct json *json, const char *key, int64_t nusd)
{
	json_key(json, key);
	if (nusd < 0)
		json_none(json);
	else
		json_double(json, cost_usd(nusd));
}

static void write_document(struct json *json, const struct waste *waste)
{
	json_key(json, "document");
	json_object_begin(json);
	write_text(json, "subject", waste_subject_name(waste->subject));
	write_text(json, "name", waste->name);
	write_text(json, "task_id", waste->task_id);
	write_text(json, "who", waste->who);
	json_key(json, "paid_share");
	json_double(json, waste->paid_share);
	write_text(json, "confidence", finding_confidence_name(waste->confidence));
	write_text(json, "summary", waste->summary);
	json_key(json, "evidence");
	json_raw(json, waste->evidence, strlen(waste->evidence));
	write_text(json, "advice", waste->advice);
	write_text(json, "command", waste->command);
	json_object_end(json);
}

void sweep_changes_found(struct sweep_changes *changes, const struct waste *waste, int64_t since_at,
			 int64_t found_at)
{
	struct json *json = &changes->found_json;

	json_object_begin(json);
	write_text(json, "kind", waste->kind);
	write_text(json, "id", waste->id);
	write_us(json, "since_at", since_at);
	write_us(json, "found_at", found_at);
	write_text(json, "host_id", waste->host_id ? waste->host_id : "");
	write_text(json, "run_id", waste->run_id ? waste->run_id : "");
	write_usd(json, "usd_hour", waste->nusd_hour);
	write_usd(json, "counted_usd_hour", waste_counted_nusd(waste));
	write_document(json, waste);
	json_object_end(json);
	changes->count++;
}

void sweep_changes_ended(struct sweep_changes *changes, const char *kind, const char *id,
			 int64_t ended_at, enum waste_outcome outcome)
{
	struct json *json = &changes->ended_json;

	json_object_begin(json);
	write_text(json, "kind", kind);
	write_text(json, "id", id);
	write_us(json, "ended_at", ended_at);
	write_text(json, "outcome", waste_outcome_name(outcome));
	json_object_end(json);
	changes->count++;
}

int sweep_changes_store(struct sweep_changes *changes, struct server *server, struct error *err)
{
	json_array_end(&changes->found_json);
	json_array_end(&changes->ended_json);
	if (changes->found.failed || changes->ended.failed)
		return error_set(err, -ENOMEM, "no memory to note what a sweep found");
	const struct store_param params[] = { PARAM_TEXT("found", changes->found.data),
					      PARAM_TEXT("ended", changes->ended.data) };

	return changes->count ? store_change(server->store, "wastes", params, 2, err) : 0;
}
