/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/join/run_link.h"

#include "base/clock.h"

#include <stddef.h>
#include <string.h>

#define MINUTE_NS (60 * NS_PER_S)
#define DAY_NS    (24 * 3600 * NS_PER_S)

static bool started_within(const struct linked_run *part, const struct linked_run *head,
			   int64_t slack_ns)
{
	return part->started_at >= head->started_at - slack_ns &&
	       part->started_at <= head->until_at + slack_ns;
}

static bool same_engine(const struct linked_run *head, const struct linked_run *part)
{
	return !strcmp(head->engine, part->engine);
}

static bool other_hosts(const struct linked_run *head, const struct linked_run *part)
{
	return strcmp(head->host_id, part->host_id) != 0;
}

static bool fits_folder(const struct linked_run *head, const struct linked_run *part)
{
	return head->lead && !part->lead && same_engine(head, part) &&
	       started_within(part, head, MINUTE_NS);
}

static bool fits_workflow(const struct linked_run *head, const struct linked_run *part)
{
	return same_engine(head, part) && started_within(part, head, DAY_NS);
}

static bool fits_job(const struct linked_run *head, const struct linked_run *part)
{
	return other_hosts(head, part) && started_within(part, head, DAY_NS);
}

static bool fits_container(const struct linked_run *head, const struct linked_run *part)
{
	return other_hosts(head, part) && started_within(part, head, MINUTE_NS);
}

static bool fits_trace(const struct linked_run *head, const struct linked_run *part)
{
	bool repeated = !strcmp(head->command_digest, part->command_digest) &&
			part->started_at > head->until_at;

	return started_within(part, head, DAY_NS) && !repeated;
}

/* The most trusted first. */
static const struct link_rule RULES[] = {
	{ .kind = "folder", .fits = fits_folder, .one_head = true },
	{ .kind = "workflow", .fits = fits_workflow },
	{ .kind = "job", .fits = fits_job },
	{ .kind = "container", .fits = fits_container },
	{ .kind = "trace", .fits = fits_trace, .latest_head = true },
};

const struct link_rule *link_rule_find(const char *kind)
{
	for (size_t i = 0; i < sizeof(RULES) / sizeof(RULES[0]); i++)
		if (!strcmp(RULES[i].kind, kind))
			return &RULES[i];
	return NULL;
}

/* Heads come before their parts. */
static int compare_heads(const struct linked_run *a, const struct linked_run *b)
{
	int order = b->lead - a->lead;

	if (!order)
		order = (a->started_at > b->started_at) - (a->started_at < b->started_at);
	return order ? order : strcmp(a->run_id, b->run_id);
}

int linked_run_compare(const void *a_, const void *b_)
{
	const struct linked_run *a = a_, *b = b_;
	int order = (a->rule > b->rule) - (a->rule < b->rule);

	if (!order)
		order = strcmp(a->value, b->value);
	return order ? order : compare_heads(a, b);
}

static const char *text_of(const struct store_rows *rows, const char *column)
{
	return store_text(rows, (size_t)store_column(rows, column));
}

static int64_t i64_of(const struct store_rows *rows, const char *column)
{
	return store_i64(rows, (size_t)store_column(rows, column));
}

static bool bool_of(const struct store_rows *rows, const char *column)
{
	return store_bool(rows, (size_t)store_column(rows, column));
}

void linked_run_read(struct linked_run *run, const struct store_rows *row)
{
	*run = (struct linked_run){
		.rule = link_rule_find(text_of(row, "kind")),
		.value = text_of(row, "value"),
		.run_id = text_of(row, "run_id"),
		.host_id = text_of(row, "host_id"),
		.engine = text_of(row, "engine"),
		.command_digest = text_of(row, "command_digest"),
		.lead = bool_of(row, "lead"),
		.is_new = bool_of(row, "is_new"),
		.started_at = i64_of(row, "started_at"),
		.until_at = i64_of(row, "until_at"),
	};
}
