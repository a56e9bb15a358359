/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/local/doctor_cloud.h"
#include "cli/local/doctor_gpu.h"
#include "probe/api/probe.h"

/* `tracer doctor`: what this host has of what Tracer needs, and how to get the rest. Changes
 * nothing. */

#define NEEDS_MAX 32
#define HOOKS_MAX 32

struct doctor_settings {
	struct doctor_gpus gpus;
	struct doctor_cloud cloud;
	bool json;
};

static const struct config_option options[] = {
	{ "json", CONFIG_BOOL, offsetof(struct doctor_settings, json), "false", 0, 0,
	  "print JSON" },
	{ "gpu", CONFIG_TEXT, offsetof(struct doctor_settings, gpus.mode), "auto", 0, 0,
	  "look at GPUs: auto (where there are some), on, off" },
	{ "gpu-helper", CONFIG_TEXT, offsetof(struct doctor_settings, gpus.helper), "", 0, 0,
	  "the program that reads them (default: tracer-gpu beside this one)" },
	{ "gpu-library-folder", CONFIG_TEXT, offsetof(struct doctor_settings, gpus.library_folder),
	  "", 0, 0, "folder of libnvidia-ml.so.1 (default: where the system's loader looks)" },
	{ "cloud", CONFIG_TEXT, offsetof(struct doctor_settings, cloud.cloud), "auto", 0, 0,
	  "ask a metadata service who this machine is: auto (where provider or the firmware names "
	  "a cloud), off, aws, gcp" },
	{ "provider", CONFIG_TEXT, offsetof(struct doctor_settings, cloud.provider), "", 0, 0,
	  "cloud provider: aws, gcp" },
	{ "metadata-url", CONFIG_TEXT, offsetof(struct doctor_settings, cloud.metadata_url), "", 0,
	  0, "where that is, a loopback or link-local address (default: the provider's)" },
};

static void member(struct json *json, const char *key, const char *text)
{
	json_key(json, key);
	json_text(json, text);
}

static void needs_json(struct json *json, const struct probe_need *needs, size_t count)
{
	json_key(json, "needs");
	json_array_begin(json);
	for (size_t i = 0; i < count; i++) {
		json_object_begin(json);
		member(json, "what", needs[i].what);
		json_key(json, "met");
		json_bool(json, needs[i].met);
		json_key(json, "required");
		json_bool(json, needs[i].required);
		member(json, "detail", needs[i].detail);
		member(json, "cure", needs[i].met ? "" : needs[i].cure);
		json_object_end(json);
	}
	json_array_end(json);
}

static void hooks_json(struct json *json, const struct probe_hook *hooks, size_t count)
{
	json_key(json, "hooks");
	json_array_begin(json);
	for (size_t i = 0; i < count; i++) {
		json_object_begin(json);
		member(json, "figure", hooks[i].figure);
		member(json, "hook", hooks[i].hook);
		member(json, "why", hooks[i].why);
		json_object_end(json);
	}
	json_array_end(json);
}

static void print_json(const struct probe_need *needs, size_t need_count,
		       const struct probe_hook *hooks, size_t hook_count,
		       const struct doctor_settings *settings)
{
	struct buffer text CLEANUP(buffer_clear) = { 0 };
	struct json json;

	buffer_init(&text, 0);
	json_init(&json, &text, true);
	json_object_begin(&json);
	needs_json(&json, needs, need_count);
	hooks_json(&json, hooks, hook_count);
	doctor_gpus_write(&settings->gpus, &json);
	doctor_cloud_write(&settings->cloud, &json);
	json_object_end(&json);
	puts(text.data);
}

static void print_needs(const struct probe_need *needs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		printf("%-7s %-34s %s\n",
		       needs[i].met        ? "ok"
		       : needs[i].required ? "MISSING"
					   : "absent",
		       needs[i].what, needs[i].detail);
		if (!needs[i].met)
			printf("        → %s\n", needs[i].cure);
	}
}

/* Which hook measures which figure on this host, and why it is not a better one. */
static void print_hooks(const struct probe_hook *hooks, size_t count)
{
	printf("\n%-34s %-32s %s\n", "figure", "served by", "why");
	for (size_t i = 0; i < count; i++)
		printf("%-34s %-32s %s\n", hooks[i].figure,
		       *hooks[i].hook ? hooks[i].hook : "nothing", hooks[i].why);
}

static int run_doctor(void *settings_, int argc, char **argv)
{
	const struct doctor_settings *settings = settings_;
	struct probe_need needs[NEEDS_MAX];
	struct probe_hook hooks[HOOKS_MAX];
	size_t count = probe_needs(needs, NEEDS_MAX), lacks = 0;
	size_t hook_count = probe_hooks(hooks, HOOKS_MAX);

	if (argc > 0)
		return command_usage("doctor", "too many arguments");
	for (size_t i = 0; i < count; i++)
		lacks += needs[i].required && !needs[i].met;
	if (settings->json) {
		print_json(needs, count, hooks, hook_count, settings);
		return lacks > 0 ? EXIT_FAILED : EXIT_DONE;
	}
	print_needs(needs, count);
	doctor_gpus_print(&settings->gpus);
	doctor_cloud_print(&settings->cloud);
	print_hooks(hooks, hook_count);
	if (lacks > 0)
		printf("\nTracer cannot run here yet: %zu requirement%s missing.\n", lacks,
		       lacks > 1 ? "s are" : " is");
	else
		printf("\nTracer can run here.\n");
	return lacks > 0 ? EXIT_FAILED : EXIT_DONE;
}

extern const struct command cli_doctor;
const struct command cli_doctor = {
	.name = "doctor",
	.arguments = "",
	.summary = "check what this host has of what Tracer needs, and how to get the rest",
	OPTIONS(options),
	.settings_size = sizeof(struct doctor_settings),
	.run = run_doctor,
};
