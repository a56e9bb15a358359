/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "cli/lake/client.h"
#include "cli/lake/row.h"
#include "cli/terminal/lines.h"
#include "cli/terminal/print.h"

/* `tracer whatif`: what a run would have taken otherwise. */

struct whatif_settings {
	struct common common;
	char *cores, *memory, *step;
	uint64_t slots;
	bool no_queue;
};

#define AT(member) offsetof(struct whatif_settings, member)

static const struct config_option options[] = {
	COMMON_OPTIONS(struct whatif_settings),
	{ "cores", CONFIG_TEXT, AT(cores), "", 0, 0,
	  "on so many cores, such as 4 or 1.5 (default: as many as it had)" },
	{ "memory", CONFIG_TEXT, AT(memory), "", 0, 0,
	  "with so much memory for its tasks at once, such as 8G" },
	{ "step", CONFIG_TEXT, AT(step), "", 0, 0,
	  "a step takes this part of its time: map=0.5; several: map=0.5,call=0.8" },
	{ "slots", CONFIG_U64, AT(slots), "0", 0, 1000000,
	  "so many slots of its engine (0: as it would set them)" },
	{ "no-queue", CONFIG_BOOL, AT(no_queue), "false", 0, 0,
	  "every task begins when its inputs are there" },
};

static void add_parameter(struct buffer *path, char *sign, const char *name, const char *value)
{
	if (!*value)
		return;
	buffer_printf(path, "%c%s=", *sign, name);
	client_escape(path, value);
	*sign = '&';
}

/* "map=0.5,call=0.8" as the lake reads it; a name may have an '='. NULL: no memory. */
static char *steps_of(const char *text)
{
	char *steps = strdup(text), *equals = NULL;

	for (char *at = steps; at && *at; at++) {
		if (*at == '=')
			equals = at;
		if (equals && (at[1] == ',' || !at[1])) {
			*equals = ':';
			equals = NULL;
		}
	}
	return steps;
}

static int make_path(const struct whatif_settings *settings, const char *run, struct buffer *path)
{
	CLEANUP(freep) char *steps = steps_of(settings->step);
	char sign = '?', slots[32] = "";

	if (!steps)
		return -1;
	if (settings->slots)
		snprintf(slots, sizeof(slots), "%llu", (unsigned long long)settings->slots);
	buffer_append_text(path, "/runs/");
	client_escape(path, run);
	buffer_append_text(path, "/whatif");
	add_parameter(path, &sign, "cores", settings->cores);
	add_parameter(path, &sign, "memory", settings->memory);
	add_parameter(path, &sign, "step", steps);
	add_parameter(path, &sign, "slots", slots);
	add_parameter(path, &sign, "no_queue", settings->no_queue ? "true" : "");
	return 0;
}

static const char *duration(const json_t *object, const char *key, char *text, size_t size)
{
	double seconds = json_number_value(json_object_get(object, key));

	return text_duration((uint64_t)(seconds * (double)NS_PER_S), text, size);
}

static void print_cost(const json_t *measured, const json_t *predicted)
{
	static const struct column usd = { "cost_usd", "", FORMAT_USD, 0 };
	struct buffer text CLEANUP(buffer_clear) = { 0 };

	if (!json_is_number(json_object_get(predicted, "cost_usd")))
		return;
	buffer_init(&text, 0);
	buffer_append_text(&text, "By the part of its CPUs the host would cost ");
	print_value(&text, predicted, &usd);
	buffer_append_text(&text, " for that time; as a whole it cost ");
	print_value(&text, measured, &usd);
	printf("%s.\n", text.failed ? "" : text.data);
}

static void print_memory(const json_t *predicted)
{
	const json_t *peak = json_object_get(predicted, "memory_peak_bytes");
	char text[32];

	if (json_is_integer(peak))
		printf("Its tasks would use at most %s at once.\n",
		       text_bytes((uint64_t)json_integer_value(peak), text, sizeof(text)));
}

static void print_predicted(const json_t *document)
{
	const json_t *measured = json_object_get(document, "measured");
	const json_t *predicted = json_object_get(document, "predicted");
	double had = json_number_value(json_object_get(measured, "cores"));
	double has = json_number_value(json_object_get(predicted, "cores"));
	char wall[32], likely[32], low[32], high[32];

	printf("It took %s on %.3g core%s. On %.3g core%s it would take %s (90 %%: %s to %s).\n",
	       duration(measured, "wall_s", wall, sizeof(wall)), had, had > 1 ? "s" : "", has,
	       has > 1 ? "s" : "", duration(predicted, "wall_s", likely, sizeof(likely)),
	       duration(predicted, "wall_low_s", low, sizeof(low)),
	       duration(predicted, "wall_high_s", high, sizeof(high)));
}

static void print_steps(const json_t *document)
{
	static const struct column columns[] = {
		{ "name", "STEP, IF IT TOOK HALF", FORMAT_TEXT, 40 },
		{ "tasks", "TASKS", FORMAT_COUNT, 0 },
		{ "saves_s", "THE RUN SAVES", FORMAT_SECONDS, 0 },
	};

	putchar('\n');
	print_table(stdout, json_object_get(document, "steps"), columns,
		    sizeof(columns) / sizeof(*columns));
}

static void print_assumptions(const json_t *document)
{
	const json_t *row;
	size_t i;

	struct lines lines CLEANUP(lines_clear) = { 0 };

	puts("\nAssumed:");
	json_array_foreach(json_object_get(document, "assumptions"), i, row)
		lines_wrap(&lines, "  - ", "    ", row_text(row, "text"), print_width(stdout));
	lines_print(stdout, &lines);
}

/* Returns the exit code. */
static int print_answer(const json_t *document)
{
	const char *refused = json_string_value(json_object_get(document, "refused"));

	if (refused) {
		fputs("Not known. ", stdout);
		print_text(stdout, refused);
		putchar('\n');
		return EXIT_NOTHING;
	}
	print_predicted(document);
	print_memory(json_object_get(document, "predicted"));
	print_cost(json_object_get(document, "measured"), json_object_get(document, "predicted"));
	print_steps(document);
	print_assumptions(document);
	return EXIT_DONE;
}

static bool is_above_0(const char *text)
{
	char *end;
	double value = strtod(text, &end);

	return end != text && !*end && isfinite(value) && value > 0;
}

/* "map=0.5,call=0.8": a factor behind each name. */
static bool has_factors(const char *text)
{
	CLEANUP(freep) char *steps = strdup(text);
	char *rest = NULL;

	for (char *step = steps ? strtok_r(steps, ",", &rest) : NULL; step;
	     step = strtok_r(NULL, ",", &rest)) {
		const char *factor = strrchr(step, '=');

		if (!factor || factor == step || !is_above_0(factor + 1))
			return false;
	}
	return steps && *text != ',';
}

/* NULL: they can be asked. */
static const char *fault_of(const struct whatif_settings *settings)
{
	uint64_t bytes;

	if (*settings->cores && !is_above_0(settings->cores))
		return "--cores takes a number above 0, such as 4 or 1.5";
	if (*settings->memory && text_parse_bytes(settings->memory, &bytes))
		return "--memory takes an amount such as 8G";
	if (*settings->step && !has_factors(settings->step))
		return "--step takes a step and a factor above 0, such as map=0.5, or several: "
		       "map=0.5,call=0.8";
	return NULL;
}

static int run_whatif(void *settings_, int argc, char **argv)
{
	const struct whatif_settings *settings = settings_;
	json_t *document CLEANUP(json_decrefp) = NULL;
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	struct error err = { 0 };
	const char *run = command_argument_run("whatif", argc, argv);
	const char *fault = fault_of(settings);
	int status;

	if (!run)
		return EXIT_USAGE;
	if (fault)
		return command_usage("whatif", fault);
	buffer_init(&path, 4096);
	if (make_path(settings, run, &path))
		return EXIT_FAILED;
	status = client_get(&settings->common, path.data, &document, &err);
	if (status < 0)
		return client_failed("whatif", status, &err);
	if (!settings->common.json)
		return print_answer(document);
	print_json(document);
	return json_is_null(json_object_get(document, "refused")) ? EXIT_DONE : EXIT_NOTHING;
}

extern const struct command cli_whatif;
const struct command cli_whatif = {
	.name = "whatif",
	.arguments = "[RUN]",
	.summary = "predict a run on other cores, with less memory, or with a shorter step",
	OPTIONS(options),
	.settings_size = sizeof(struct whatif_settings),
	.run = run_whatif,
};
