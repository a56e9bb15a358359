/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "base/version.h"
#include "cli/command.h"

/* `tracer version`: version and commit of this build. */

struct version_settings {
	bool json;
};

static const struct config_option options[] = {
	{ "json", CONFIG_BOOL, offsetof(struct version_settings, json), "false", 0, 0,
	  "print JSON" },
};

static int run_version(void *settings_, int argc, char **argv)
{
	const struct version_settings *settings = settings_;

	if (argc > 0)
		return command_usage("version", "too many arguments");
	printf(settings->json ? "{\"version\":\"%s\",\"commit\":\"%s\"}\n" : "tracer %s (%s)\n",
	       TRACER_VERSION, version_commit);
	return EXIT_DONE;
}

extern const struct command cli_version;
const struct command cli_version = {
	.name = "version",
	.arguments = "",
	.summary = "print version and commit",
	OPTIONS(options),
	.settings_size = sizeof(struct version_settings),
	.run = run_version,
};
