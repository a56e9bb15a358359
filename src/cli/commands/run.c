/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/terminal/output.h"

/*
 * `tracer run -- CMD`: executes CMD in this process and sends nothing: the agent reads pipeline,
 * name, labels and requests from the command line of `tracer run` itself.
 */

struct run_settings {
	char *pipeline, *name, *label;
	double cpus;
	char *memory;
};

static const struct config_option options[] = {
	{ "pipeline", CONFIG_TEXT, offsetof(struct run_settings, pipeline), "", 0, 0,
	  "the name of the pipeline (default: CMD's name)" },
	{ "name", CONFIG_TEXT, offsetof(struct run_settings, name), "", 0, 0, "the run's name" },
	{ "label", CONFIG_TEXT, offsetof(struct run_settings, label), "", 0, 0,
	  "KEY=VALUE; can be given several times" },
	{ "cpus", CONFIG_DOUBLE, offsetof(struct run_settings, cpus), "0", 0, 65536,
	  "CPUs that CMD requests" },
	{ "memory", CONFIG_TEXT, offsetof(struct run_settings, memory), "", 0, 0,
	  "memory that CMD requests, as 8G" },
};

static int run_run(void *settings_, int argc, char **argv)
{
	const struct run_settings *settings = settings_;
	uint64_t bytes;

	if (settings->label[0] && !strchr(settings->label, '='))
		return command_usage("run", "a label is KEY=VALUE");
	if (settings->memory[0] && text_parse_bytes(settings->memory, &bytes) < 0)
		return command_usage("run", "--memory takes a size as 512M or 8G");
	if (argc > 0 && strcmp(argv[0], "--") == 0) {
		argc--;
		argv++;
	}
	if (argc == 0)
		return command_usage("run", "nothing to run: name a command after --");
	output_restore();
	/* The argv of main() ends with NULL. */
	execvp(argv[0], argv);
	fprintf(stderr, "tracer run: cannot run '%s': %s\n", argv[0], strerror(errno));
	return errno == ENOENT ? 127 : 126; /* as a shell does */
}

extern const struct command cli_run;
const struct command cli_run = {
	.name = "run",
	.arguments = "-- CMD…",
	.summary = "run a command as a named run (commands are also recorded without it)",
	OPTIONS(options),
	.settings_size = sizeof(struct run_settings),
	.run = run_run,
};
