/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report_head.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "cli/report/cost/cost_amounts.h"
#include "cli/terminal/print.h"

/* One line of fields, two blanks before each; where the terminal is narrow, several. */
static void print_fields(const json_t *object, const struct column *fields, size_t count,
			 size_t *at)
{
	char label[64];

	for (size_t i = 0; i < count; i++) {
		(void)snprintf(label, sizeof(label), "  %s ", fields[i].title);
		print_labelled(stdout, label, object, fields[i].key, fields[i].format, at);
	}
}

/* Why a run that was over costs something else than it did. */
static void print_changes(const json_t *changes)
{
	static const struct column fields[] = {
		{ "at", "cost changed", FORMAT_TIME, 0 },
		{ "from_usd", "from", FORMAT_USD, 0 },
		{ "to_usd", "to", FORMAT_USD, 0 },
		{ "why", "", FORMAT_TEXT, 0 },
	};
	const json_t *change;
	size_t i;

	json_array_foreach(changes, i, change)
	{
		size_t at = 0;

		print_fields(change, fields, sizeof(fields) / sizeof(*fields), &at);
		putchar('\n');
	}
}

static void print_cost(const json_t *totals, json_t *cost)
{
	static const struct column parts[] = {
		{ "cost", "cost", FORMAT_FIGURE, 0 },
		{ "used", "= used", FORMAT_FIGURE, 0 },
		{ "unused", "+ reserved but unused", FORMAT_FIGURE, 0 },
		{ "idle", "+ idle", FORMAT_FIGURE, 0 },
	};
	static const struct column owners[] = {
		{ "tasks", "  of tasks", FORMAT_FIGURE, 0 },
		{ "engine", "+ engine", FORMAT_FIGURE, 0 },
		{ "price_usd_hour", "  price an hour", FORMAT_USD, 0 },
		{ "price_source", "", FORMAT_TEXT, 0 },
	};
	static const char *const keys[] = { "tasks_usd", "engine_usd" };
	static const char *const shown[] = { "tasks", "engine" };
	size_t at = 0;

	if (!json_is_object(cost)) {
		print_labelled(stdout, "  cost ", totals, "cost_usd", FORMAT_USD, &at);
		printf(" (no price known: see `tracer prices`)\n");
		return;
	}
	if (cost_amounts_set(cost, NULL) || cost_amounts_set_halves(cost, keys, shown))
		return;
	print_fields(cost, parts, sizeof(parts) / sizeof(*parts), &at);
	putchar('\n');
	at = 0;
	print_fields(cost, owners, sizeof(owners) / sizeof(*owners), &at);
	putchar('\n');
	print_changes(json_object_get(cost, "changes"));
}

static void print_line(const json_t *object, const struct column *columns, size_t count)
{
	size_t at = 0;

	print_fields(object, columns, count, &at);
	putchar('\n');
}

static void print_run(const json_t *document)
{
	static const struct column facts[] = {
		{ "pipeline", "pipeline", FORMAT_TEXT, 0 },
		{ "engine", "  engine", FORMAT_TEXT, 0 },
		{ "user", "  user", FORMAT_TEXT, 0 },
		{ "hosts", "  host", FORMAT_LIST, 0 },
		{ "started_at", "  started", FORMAT_TIME, 0 },
		{ "wall_s", "  took", FORMAT_SECONDS, 0 },
		{ "parent_run", "  in run", FORMAT_TEXT, 0 }, /* the last: where there is one */
	};
	static const struct column sums[] = {
		{ "user_ns", "CPU", FORMAT_CPU_NS, 0 },
		{ "runnable_ns", "  waited for CPU", FORMAT_NS, 0 },
		{ "rss_peak_bytes", "  largest process", FORMAT_BYTES, 0 },
		{ "executions", "  processes", FORMAT_COUNT, 0 },
		{ "gpu_busy_ns", "  GPU", FORMAT_NS, 0 }, /* the last: shown where there is any */
	};
	static const struct column bytes[] = {
		{ "disk_read_bytes", "storage read", FORMAT_BYTES, 0 },
		{ "disk_write_bytes", "  written", FORMAT_BYTES, 0 },
		{ "file_bytes", "  files", FORMAT_BYTES, 0 },
		{ "read_chars_bytes", "  calls read", FORMAT_BYTES, 0 },
		{ "write_chars_bytes", "  written", FORMAT_BYTES, 0 },
		{ "net_rx_bytes", "  network received", FORMAT_BYTES, 0 },
		{ "net_tx_bytes", "  sent", FORMAT_BYTES, 0 },
	};
	const json_t *run = json_object_get(document, "run"),
		     *totals = json_object_get(document, "totals");
	struct buffer status CLEANUP(buffer_clear) = { 0 };
	const char *name = json_string_value(json_object_get(run, "name"));
	bool gpu = json_integer_value(json_object_get(totals, "gpu_busy_ns")) > 0;
	bool outer = json_is_string(json_object_get(run, "parent_run"));

	printf("Run ");
	print_text(stdout, name ? name : "?");
	printf("  ");
	buffer_init(&status, 0);
	print_status_words(&status, run);
	if (!status.failed)
		print_coloured(stdout, status.data, print_status_colour(status.data));
	putchar('\n');
	print_line(run, facts, sizeof(facts) / sizeof(*facts) - !outer);
	print_line(totals, sums, sizeof(sums) / sizeof(*sums) - !gpu);
	print_line(totals, bytes, sizeof(bytes) / sizeof(*bytes));
	print_cost(totals, json_object_get(document, "cost"));
}

static void print_losses(const json_t *document)
{
	const json_t *loss;
	size_t i;

	json_array_foreach(json_object_get(document, "losses"), i, loss)
	{
		const char *what = json_string_value(json_object_get(loss, "what"));
		const char *why = json_string_value(json_object_get(loss, "why"));
		json_int_t count = json_integer_value(json_object_get(loss, "count"));

		if (count > 0)
			printf("! missing: %lld ", (long long)count);
		else
			printf("! missing: what the ");
		print_text(stdout, what ? what : "?");
		printf(count > 0 ? " records (" : " would have seen (");
		print_text(stdout, why ? why : "?");
		printf(")\n");
	}
}

void report_head_print(const json_t *document)
{
	print_run(document);
	print_losses(document);
}
