/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/screen/screen_facts.h"

#include "base/cleanup.h"
#include "cli/lake/row.h"
#include "cli/terminal/columns.h"
#include "cli/terminal/print.h"

#define FACT_LINES 2
#define FACT_WIDTH 32 /* columns of one value */
#define INDENT     "  "

/* Facts that are laid out in lines: a fact is not broken. */
struct facts {
	struct lines *lines;
	struct buffer line;
	size_t width, left; /* left: lines */
};

static void end_line(struct facts *facts)
{
	if (facts->line.len > 0 && !facts->line.failed && facts->left > 0) {
		lines_add(facts->lines, facts->line.data);
		facts->left--;
	}
	buffer_reset(&facts->line);
}

/* Adds a fact of the given columns, which are not counted in its bytes where it is coloured. */
static void add(struct facts *facts, const char *fact)
{
	size_t taken = facts->line.len > 0 ? columns_of(facts->line.data) : 0;

	if (taken > 0 && taken + 2 + columns_of(fact) > facts->width) {
		end_line(facts);
		taken = 0;
	}
	buffer_append_text(&facts->line, taken > 0 || facts->left < FACT_LINES ? INDENT : "");
	buffer_append_text(&facts->line, fact);
}

/* "label value", where there is a value; a long one is cut. */
static void add_value(struct facts *facts, const char *label, const json_t *object,
		      const struct column *column)
{
	struct buffer value CLEANUP(buffer_clear) = { 0 }, fact CLEANUP(buffer_clear) = { 0 };
	const json_t *known = json_object_get(object, column->key);

	if (!known || json_is_null(known) || (json_is_string(known) && !*json_string_value(known)))
		return;
	buffer_init(&value, 0);
	buffer_init(&fact, 0);
	print_value(&value, object, column);
	if (value.failed || value.len == 0)
		return;
	buffer_append_text(&fact, label);
	if (columns_of(value.data) > FACT_WIDTH)
		columns_fit(&fact, value.data, FACT_WIDTH);
	else
		buffer_append_text(&fact, value.data);
	if (!fact.failed)
		add(facts, fact.data);
}

static void add_status(struct facts *facts, const json_t *run, bool colourful)
{
	struct buffer words CLEANUP(buffer_clear) = { 0 }, fact CLEANUP(buffer_clear) = { 0 };
	const char *colour;

	buffer_init(&words, 0);
	buffer_init(&fact, 0);
	print_status_words(&words, run);
	if (words.failed)
		return;
	colour = print_status_colour(words.data);
	if (colourful && colour)
		buffer_printf(&fact, "\033[%sm%s\033[0m", colour, words.data);
	else
		buffer_append_text(&fact, words.data);
	if (!fact.failed)
		add(facts, fact.data);
}

static void add_hosts(struct facts *facts, const json_t *run)
{
	static const struct column hosts = { "hosts", "", FORMAT_LIST, 0 };
	size_t count = json_array_size(json_object_get(run, "hosts"));
	char text[32];

	if (count == 1) {
		add_value(facts, "on ", run, &hosts);
	} else if (count > 1) {
		(void)snprintf(text, sizeof(text), "on %zu hosts", count);
		add(facts, text);
	}
}

/* "! missing: 12 exec records (ring full), and 3 more kinds of records: tracer report --full" */
static void add_loss(struct lines *lines, const json_t *losses, size_t width)
{
	struct buffer text CLEANUP(buffer_clear) = { 0 };
	struct lines loss CLEANUP(lines_clear) = { 0 };
	const json_t *first = json_array_get(losses, 0);
	json_int_t count = json_integer_value(json_object_get(first, "count"));

	if (!first)
		return;
	buffer_init(&text, 0);
	if (count > 0)
		buffer_printf(&text, "missing: %" JSON_INTEGER_FORMAT " ", count);
	else
		buffer_append_text(&text, "missing: some ");
	buffer_printf(&text, "%s records (%s)", row_text(first, "what"), row_text(first, "why"));
	if (json_array_size(losses) > 1)
		buffer_printf(&text, " and %zu more (--full)", json_array_size(losses) - 1);
	if (text.failed)
		return;
	lines_wrap(&loss, "! ", "  ", text.data, width);
	lines_shorten(&loss, 1, width);
	lines_join(lines, &loss);
}

void screen_facts_add(struct lines *lines, const json_t *document, const struct screen_size *size)
{
	static const struct column name = { "name", "", FORMAT_TEXT, 0 },
				   engine = { "engine", "", FORMAT_TEXT, 0 },
				   pipeline = { "pipeline", "", FORMAT_TEXT, 0 },
				   user = { "user", "", FORMAT_TEXT, 0 },
				   started = { "started_at", "", FORMAT_TIME, 0 },
				   wall = { "wall_s", "", FORMAT_SECONDS, 0 },
				   cpu = { "user_ns", "", FORMAT_CPU_NS, 0 },
				   peak = { "rss_peak_bytes", "", FORMAT_BYTES, 0 },
				   cost = { "cost_usd", "", FORMAT_USD, 0 };
	const json_t *run = json_object_get(document, "run"),
		     *totals = json_object_get(document, "totals");
	struct facts facts = { .lines = lines, .width = size->width, .left = FACT_LINES };

	buffer_init(&facts.line, 0);
	add_value(&facts, "Run ", run, &name);
	add_status(&facts, run, size->colourful);
	add_value(&facts, "", run, &engine);
	add_hosts(&facts, run);
	add_value(&facts, "started ", run, &started);
	add_value(&facts, "took ", run, &wall);
	add_value(&facts, "CPU ", totals, &cpu);
	add_value(&facts, "largest process ", totals, &peak);
	add_value(&facts, "cost ", totals, &cost);
	add_value(&facts, "user ", run, &user);
	add_value(&facts, "pipeline ", run, &pipeline);
	end_line(&facts);
	buffer_clear(&facts.line);
	add_loss(lines, json_object_get(document, "losses"), size->width);
}
