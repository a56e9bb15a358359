/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lake/cost_query.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "cli/lake/client.h"
#include "cli/lake/row.h"
#include "cost/instant.h"
#include "cost/sheet_choice.h"

#define DAY_S 86400

static int check_key(const char *by, struct error *err)
{
	bool is_label = strncmp(by, "label:", 6) == 0 && by[6];

	if (is_label || (strcmp(by, "label") != 0 && sheet_key_find(by)))
		return 0;
	return error_set(err, -EINVAL, "--by takes %s", SHEET_KEYS_WORDS);
}

static int check_choice(const char *option, const char *value, const char *first,
			const char *second, struct error *err)
{
	if (!*value || strcmp(value, first) == 0 || strcmp(value, second) == 0)
		return 0;
	return error_set(err, -EINVAL, "--%s takes %s or %s", option, first, second);
}

int cost_query_check(const struct cost_query *query, struct error *err)
{
	int64_t since_ns = 0, until_ns = INT64_MAX;
	int rc = check_key(query->by, err);

	if (rc == 0)
		rc = check_choice("over", query->over, "hour", "day", err);
	if (rc == 0)
		rc = check_choice("split", query->split, "held", "aws", err);
	if (rc == 0 && *query->since)
		rc = instant_parse(query->since, &since_ns, err);
	if (rc == 0 && *query->until)
		rc = instant_parse(query->until, &until_ns, err);
	if (rc == 0 && since_ns >= until_ns)
		rc = error_set(err, -EINVAL, "--until is not after --since");
	return rc;
}

bool cost_query_selects(const struct cost_query *query)
{
	const char *const values[] = { query->over, query->split, query->pipeline, query->run,
				       query->step, query->task,  query->sample,   query->user,
				       query->host, query->label };

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		if (*values[i])
			return true;
	return false;
}

void cost_query_window(const struct cost_query *query, int64_t now_s, int64_t *ret_since_s,
		       int64_t *ret_until_s)
{
	struct error err = { 0 };
	int64_t since_ns = 0, until_ns = 0;

	*ret_until_s = now_s;
	if (*query->until && instant_parse(query->until, &until_ns, &err) == 0)
		*ret_until_s = until_ns / NS_PER_S;
	*ret_since_s = *ret_until_s - (int64_t)query->days * DAY_S;
	if (*query->since && instant_parse(query->since, &since_ns, &err) == 0)
		*ret_since_s = since_ns / NS_PER_S;
}

static void add(struct buffer *path, const char *name, const char *value)
{
	if (!*value)
		return;
	buffer_printf(path, "&%s=", name);
	client_escape(path, value);
}

/* RUN as all commands take it. */
static int add_run(const struct common *common, const char *run, struct buffer *path,
		   struct error *err)
{
	json_t *document CLEANUP(json_decrefp) = NULL;
	struct buffer ask CLEANUP(buffer_clear) = { 0 };
	int rc;

	if (!*run)
		return 0;
	buffer_init(&ask, 4096);
	buffer_append_text(&ask, "/runs/");
	client_escape(&ask, run);
	rc = client_get(common, ask.data, &document, err);
	if (rc == 0)
		add(path, "run", row_text(json_object_get(document, "run"), "id"));
	return rc;
}

/* A host by its id or name. */
static int add_host(const struct common *common, const char *host, struct buffer *path,
		    struct error *err)
{
	json_t *document CLEANUP(json_decrefp) = NULL;
	const json_t *row;
	const char *id = NULL;
	size_t i, count = 0;
	int rc = *host ? client_get(common, "/hosts", &document, err) : 0;

	if (rc < 0 || !*host)
		return rc;
	json_array_foreach(json_object_get(document, "hosts"), i, row)
	{
		bool is_id = strcmp(row_text(row, "id"), host) == 0;

		if (!is_id && strcmp(row_text(row, "hostname"), host) != 0)
			continue;
		id = row_text(row, "id");
		count = is_id ? 1 : count + 1;
		if (is_id)
			break;
	}
	if (count == 0)
		return error_set(err, -ENOENT, "no host has the id or name \"%s\"", host);
	if (count > 1)
		return error_set(err, -ENOTUNIQ,
				 "%zu hosts are called \"%s\": give the id of one, as `tracer cost "
				 "--by host` shows it",
				 count, host);
	add(path, "host", id);
	return 0;
}

/* KEY:VALUE; KEY=VALUE as `tracer run --label` takes it. */
static void add_label(const char *label, struct buffer *path)
{
	size_t key = strcspn(label, ":=");
	struct buffer text CLEANUP(buffer_clear) = { 0 };

	if (label[key] != '=') {
		add(path, "label", label);
		return;
	}
	buffer_init(&text, 4096);
	buffer_printf(&text, "%.*s:%s", (int)key, label, label + key + 1);
	add(path, "label", text.data);
}

int cost_query_path(const struct cost_query *query, const struct common *common, const char *base,
		    struct buffer *path, struct error *err)
{
	int rc;

	buffer_printf(path, "%s?by=", base);
	client_escape(path, query->by);
	if (!*query->since)
		buffer_printf(path, "&days=%llu", (unsigned long long)query->days);
	add(path, "since", query->since);
	add(path, "until", query->until);
	add(path, "over", query->over);
	add(path, "split", query->split);
	add(path, "pipeline", query->pipeline);
	add(path, "step", query->step);
	add(path, "task", query->task);
	add(path, "sample", query->sample);
	add(path, "user", query->user);
	add_label(query->label, path);
	if (query->limit)
		buffer_printf(path, "&limit=%llu", (unsigned long long)query->limit);
	rc = add_run(common, query->run, path, err);
	return rc < 0 ? rc : add_host(common, query->host, path, err);
}
