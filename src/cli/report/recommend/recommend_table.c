/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/recommend/recommend_table.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "cli/lake/row.h"
#include "cli/terminal/lines.h"
#include "cli/terminal/print.h"

#define LETTERS   26
#define CELL_SIZE 64

static const struct {
	const char *name, *words;
} CHOICES[] = {
	{ "cheapest_in_time", "cheapest in time" },
	{ "fastest_below", "fastest below" },
	{ "cheapest", "cheapest" },
	{ "fastest", "fastest" },
};

static const struct {
	const char *name, *words;
} PURCHASES[] = { { "on_demand", "on demand" }, { "spot", "spot" } };

char recommend_sign(const json_t *candidate, size_t number)
{
	bool front = json_is_true(json_object_get(candidate, "front"));

	return front && number < LETTERS ? (char)('a' + number) : front ? '*' : '.';
}

static bool has_choice(const json_t *row, const char *name)
{
	const char *choices = row_text(row, "choices");
	size_t len = strlen(name);

	for (const char *at = choices; *at; at += strcspn(at, ",") + (strchr(at, ',') != NULL))
		if (strncmp(at, name, len) == 0 && (at[len] == ',' || !at[len]))
			return true;
	return false;
}

static const char *choices_of(const json_t *candidate, char text[CELL_SIZE])
{
	size_t len = 0;

	*text = '\0';
	for (size_t i = 0; i < sizeof(CHOICES) / sizeof(CHOICES[0]); i++)
		if (has_choice(candidate, CHOICES[i].name))
			len += (size_t)snprintf(text + len, CELL_SIZE - len, "%s%s",
						len ? ", " : "", CHOICES[i].words);
	return text;
}

static void add_choices(json_t *row, const json_t *candidate)
{
	char text[CELL_SIZE];

	json_object_set_new(row, "choice", json_string(choices_of(candidate, text)));
}

static void add_purchase(json_t *row, const json_t *candidate)
{
	const char *purchase = row_text(candidate, "purchase");

	for (size_t i = 0; i < sizeof(PURCHASES) / sizeof(PURCHASES[0]); i++)
		if (strcmp(purchase, PURCHASES[i].name) == 0)
			purchase = PURCHASES[i].words;
	json_object_set_new(row, "bought", json_string(purchase));
}

/* "-22 +29 %": the interval of the wall time, which is that of the cost but for interruptions. */
static void add_span(json_t *row, const json_t *candidate)
{
	double likely = json_number_value(json_object_get(candidate, "wall_s"));
	double low = json_number_value(json_object_get(candidate, "wall_low_s"));
	double high = json_number_value(json_object_get(candidate, "wall_high_s"));
	char text[CELL_SIZE];

	if (high > 0 && likely > 0)
		snprintf(text, sizeof(text), "%+.0f %+.0f %%", 100 * (low / likely - 1),
			 100 * (high / likely - 1));
	json_object_set_new(row, "span", high > 0 && likely > 0 ? json_string(text) : json_null());
}

static void add_free(json_t *row, const json_t *candidate)
{
	const json_t *part = json_object_get(candidate, "memory_headroom");
	char text[CELL_SIZE];

	snprintf(text, sizeof(text), "%.0f %%", 100 * json_number_value(part));
	json_object_set_new(row, "free", json_is_number(part) ? json_string(text) : json_null());
}

static void add_risk(json_t *row, const json_t *candidate)
{
	const char *band = row_text(candidate, "interruption");
	bool spot = strcmp(row_text(candidate, "purchase"), "spot") == 0;

	json_object_set_new(row, "risk", json_string(!spot ? "" : *band ? band : "not known"));
}

static json_t *row_of(const json_t *candidate, const char *sign)
{
	json_t *row = json_copy((json_t *)candidate);

	if (!row)
		return NULL;
	json_object_set_new(row, "sign", json_string(sign));
	add_choices(row, candidate);
	add_purchase(row, candidate);
	add_span(row, candidate);
	add_free(row, candidate);
	add_risk(row, candidate);
	if (!*row_text(candidate, "type"))
		json_object_set_new(row, "type", json_string("this machine"));
	return row;
}

static bool is_shown(const json_t *candidate)
{
	return json_is_true(json_object_get(candidate, "front")) ||
	       *row_text(candidate, "choices") != '\0';
}

static json_t *rows_of(const json_t *document)
{
	json_t *rows = json_array();
	const json_t *candidate;
	size_t i;

	json_array_append_new(rows, row_of(json_object_get(document, "measured"), "M"));
	json_array_foreach(json_object_get(document, "candidates"), i, candidate)
	{
		const char sign[] = { recommend_sign(candidate, i), '\0' };

		if (is_shown(candidate))
			json_array_append_new(rows, row_of(candidate, sign));
	}
	return rows;
}

static bool has_several(const json_t *rows, const char *key)
{
	const json_t *row;
	size_t i;

	json_array_foreach(rows, i,
			   row) if (json_integer_value(json_object_get(row, key)) > 1) return true;
	return false;
}

static bool has_text(const json_t *rows, const char *key)
{
	const json_t *row;
	size_t i;

	json_array_foreach(rows, i, row) if (*row_text(row, key)) return true;
	return false;
}

int recommend_table_print(FILE *out, const json_t *document)
{
	static const struct column ALL[] = {
		/* On a narrow terminal the last ones are left out: how sure it is comes first. */
		{ "sign", "", FORMAT_TEXT, 0 },
		{ "type", "TYPE", FORMAT_TEXT, 24 },
		{ "hosts", "HOSTS", FORMAT_COUNT, 0 },
		{ "cpus", "CPUS", FORMAT_COUNT, 0 },
		{ "bought", "BOUGHT", FORMAT_TEXT, 0 },
		{ "wall_s", "WALL TIME", FORMAT_SECONDS, 0 },
		{ "span", "90 %", FORMAT_FIGURE, 0 },
		{ "cost_usd", "COST", FORMAT_USD, 0 },
		{ "choice", "CHOICE", FORMAT_TEXT, 36 },
		{ "risk", "TAKEN BACK", FORMAT_TEXT, 0 },
		{ "free", "FREE", FORMAT_FIGURE, 0 },
		{ "memory_bytes", "MEMORY", FORMAT_BYTES, 0 },
		{ "region", "REGION", FORMAT_TEXT, 0 },
	};
	struct column columns[sizeof(ALL) / sizeof(ALL[0])];
	json_t *rows CLEANUP(json_decrefp) = rows_of(document);
	size_t count = 0;

	if (!rows)
		return -ENOMEM;
	for (size_t i = 0; i < sizeof(ALL) / sizeof(ALL[0]); i++) {
		bool some = (strcmp(ALL[i].key, "hosts") != 0 || has_several(rows, "hosts")) &&
			    (strcmp(ALL[i].key, "bought") != 0 || has_text(rows, "bought")) &&
			    (strcmp(ALL[i].key, "risk") != 0 || has_text(rows, "risk")) &&
			    (strcmp(ALL[i].key, "region") != 0 || has_text(rows, "region"));

		if (some)
			columns[count++] = ALL[i];
	}
	print_table(out, rows, columns, count);
	return 0;
}

static bool has_note(const json_t *candidate, const char *text)
{
	const json_t *note;
	size_t i;

	json_array_foreach(json_object_get(candidate, "notes"), i,
			   note) if (strcmp(json_string_value(note), text) == 0) return true;
	return false;
}

/* Whether all candidates that are chosen have it. */
static bool is_common(const json_t *document, const char *text)
{
	const json_t *candidate;
	size_t i;

	json_array_foreach(json_object_get(document, "candidates"), i,
			   candidate) if (*row_text(candidate, "choices") &&
					  !has_note(candidate, text)) return false;
	return true;
}

static void print_notes(FILE *out, const json_t *document, const json_t *candidate, bool common,
			const char *head)
{
	struct lines lines CLEANUP(lines_clear) = { 0 };
	const json_t *note;
	size_t i;

	json_array_foreach(json_object_get(candidate, "notes"), i,
			   note) if (is_common(document, json_string_value(note)) == common)
		lines_wrap(&lines, "  - ", "    ", json_string_value(note), print_width(out));
	if (lines.count)
		fputs(head, out);
	lines_print(out, &lines);
}

void recommend_notes_print(FILE *out, const json_t *document)
{
	const json_t *candidate, *first = NULL;
	size_t i;

	json_array_foreach(json_object_get(document, "candidates"), i, candidate)
	{
		char words[CELL_SIZE];

		if (!*row_text(candidate, "choices"))
			continue;
		fprintf(out, "\n%c ", recommend_sign(candidate, i));
		print_text(out, row_text(candidate, "type"));
		fprintf(out, ": %s\n", choices_of(candidate, words));
		print_notes(out, document, candidate, false, "");
		first = first ? first : candidate;
	}
	if (first)
		print_notes(out, document, first, true, "\nOf all that are chosen:\n");
}
