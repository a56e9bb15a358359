/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/command.h"
#include "cli/lake/lake_access.h"
#include "cli/local/folder.h"
#include "cli/local/service.h"

/* `tracer down`: stops the agent first, so that the lake stores its last batches. */

#define STOP_WAIT_NS (20 * NS_PER_S)

struct down_settings {
	struct common common;
};

static const struct config_option options[] = { COMMON_OPTIONS(struct down_settings) };

static int run_down(void *settings_, int argc, char **argv)
{
	static const char *const names[] = { "agent", "lake" };
	const struct down_settings *settings = settings_;
	char path[FOLDER_PATH_SIZE];
	struct error err = { 0 };
	int status = EXIT_DONE;
	int running = 0, stopped;

	if (argc > 0)
		return command_usage("down", "too many arguments");
	if (folder_check(settings->common.data, &err) < 0)
		return command_failed("down", &err);
	for (size_t i = 0; i < 2; i++) {
		running += service_find(settings->common.data, names[i]) > 0;
		stopped = service_stop(settings->common.data, names[i], STOP_WAIT_NS);
		if (stopped == -EPERM) {
			error_set(&err, -EPERM, "no permission to stop the %s: use sudo", names[i]);
			return command_failed("down", &err);
		}
		if (stopped == -ETIME) {
			fprintf(stderr,
				"tracer down: the %s did not end and was killed: see %s/%s.log\n",
				names[i], settings->common.data, names[i]);
			status = EXIT_FAILED;
		}
	}
	unlink(folder_path(settings->common.data, "lake.url", path));
	unlink(folder_path(settings->common.data, LAKE_SOCKET, path));
	if (settings->common.json)
		printf("{\"stopped\":%d}\n", running);
	else
		printf(running > 0 ? "Tracer is down.\n" : "Tracer was not running.\n");
	return status;
}

extern const struct command cli_down;
const struct command cli_down = {
	.name = "down",
	.arguments = "",
	.summary = "stop Tracer on this host; recorded data stays",
	OPTIONS(options),
	.settings_size = sizeof(struct down_settings),
	.run = run_down,
};
