/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/sizes.h"

#include "cli/lake/row.h"
#include "cli/terminal/print.h"

static const struct column columns[] = {
	{ "step", "STEP", FORMAT_TEXT, 24 },
	{ "tasks", "TASKS", FORMAT_COUNT, 0 },
	{ "memory_requested_bytes", "MEMORY ASKED", FORMAT_BYTES, 0 },
	{ "memory_highest_bytes", "USED", FORMAT_BYTES, 0 },
	{ "memory_advised_bytes", "REQUEST", FORMAT_BYTES, 0 },
	{ "sure", "SURE", FORMAT_TEXT, 22 },
	{ "cpus_requested", "CPUS ASKED", FORMAT_TEXT, 0 },
	{ "cpus_used_median", "USED", FORMAT_TEXT, 0 },
	{ "cpus_advised", "REQUEST", FORMAT_TEXT, 0 },
	{ "time_advised_ns", "TIME LIMIT", FORMAT_NS, 0 },
	{ "program_memory", "SET BY", FORMAT_TEXT, 24 },
};

/* Numbers of CPUs as texts: "1.6". */
static void write_cpus(json_t *step, const char *key)
{
	const json_t *value = json_object_get(step, key);
	char text[32];

	if (!json_is_number(value))
		return;
	(void)snprintf(text, sizeof(text), "%.2g", json_number_value(value));
	json_object_set_new(step, key, json_string(text));
}

static const char *sure(const json_t *step, char *text, size_t size)
{
	json_int_t tasks = json_integer_value(json_object_get(step, "memory_needs_tasks"));
	json_int_t runs = json_integer_value(json_object_get(step, "memory_needs_runs"));

	if (!json_is_true(json_object_get(step, "memory_enough")))
		(void)snprintf(text, size, "no: %" JSON_INTEGER_FORMAT " more task%s", tasks,
			       tasks == 1 ? "" : "s");
	else if (tasks > 0)
		(void)snprintf(text, size, "fairly; %" JSON_INTEGER_FORMAT " more task%s", tasks,
			       tasks == 1 ? "" : "s");
	else if (runs > 0)
		(void)snprintf(text, size, "fairly; %" JSON_INTEGER_FORMAT " more run%s", runs,
			       runs == 1 ? "" : "s");
	else
		(void)snprintf(text, size, "yes");
	return text;
}

void sizes_print(FILE *out, json_t *sizes)
{
	json_t *steps = json_object_get(sizes, "steps"), *step;
	char text[64];
	size_t i;

	if (json_array_size(steps) == 0)
		return;
	json_array_foreach(steps, i, step)
	{
		json_object_set_new(step, "sure", json_string(sure(step, text, sizeof(text))));
		write_cpus(step, "cpus_requested");
		write_cpus(step, "cpus_used_median");
		write_cpus(step, "cpus_advised");
	}
	fputs("\nSizes\n", out);
	print_table(out, steps, columns, sizeof(columns) / sizeof(*columns));
}
