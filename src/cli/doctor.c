#include <stdio.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "cli/command.h"
#include "probe/probe.h"

/* `tracer doctor`: what this host offers and lacks, each lack with its cure. Changes nothing. */

#define NEEDS_MAX 32

struct doctor_settings {
	bool json;
};

static const struct config_option options[] = {
	{ "json", CONFIG_BOOL, offsetof(struct doctor_settings, json), "false", 0, 0,
	  "print JSON" },
};

static void print_needs_json(const struct probe_need *needs, size_t count)
{
	struct buffer text CLEANUP(buffer_clear) = { 0 };
	struct json json;

	buffer_init(&text, 0);
	json_init(&json, &text, true);
	json_object_begin(&json);
	json_key(&json, "needs");
	json_array_begin(&json);
	for (size_t i = 0; i < count; i++) {
		json_object_begin(&json);
		json_key(&json, "what");
		json_text(&json, needs[i].what);
		json_key(&json, "met");
		json_bool(&json, needs[i].met);
		json_key(&json, "required");
		json_bool(&json, needs[i].required);
		json_key(&json, "detail");
		json_text(&json, needs[i].detail);
		json_key(&json, "cure");
		json_text(&json, needs[i].met ? "" : needs[i].cure);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_object_end(&json);
	puts(text.data);
}

static int run_doctor(void *settings_, int argc, char **argv)
{
	const struct doctor_settings *settings = settings_;
	struct probe_need needs[NEEDS_MAX];
	size_t count = probe_needs(needs, NEEDS_MAX), lacks = 0;

	if (argc > 0)
		return command_usage("doctor", "too many arguments");
	for (size_t i = 0; i < count; i++)
		lacks += needs[i].required && !needs[i].met;
	if (settings->json) {
		print_needs_json(needs, count);
		return lacks > 0 ? EXIT_FAILED : EXIT_DONE;
	}
	for (size_t i = 0; i < count; i++) {
		printf("%-7s %-34s %s\n",
		       needs[i].met        ? "ok"
		       : needs[i].required ? "MISSING"
					   : "absent",
		       needs[i].what, needs[i].detail);
		if (!needs[i].met)
			printf("        → %s\n", needs[i].cure);
	}
	if (lacks > 0)
		printf("\nTracer cannot run here yet: %zu needed thing%s missing.\n", lacks,
		       lacks > 1 ? "s are" : " is");
	else
		printf("\nTracer can run here.\n");
	return lacks > 0 ? EXIT_FAILED : EXIT_DONE;
}

extern const struct command doctor_command;
const struct command doctor_command = {
	.name = "doctor",
	.arguments = "",
	.summary = "say what this host offers and lacks, each lack with its cure",
	OPTIONS(options),
	.settings_size = sizeof(struct doctor_settings),
	.run = run_doctor,
};
