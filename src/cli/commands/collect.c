/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"
#include "collect/agent/agent.h"

/* `tracer collect`: the agent in the foreground, as systemd runs it. */

static int run_collect(void *settings, int argc, char **argv)
{
	struct error err = { 0 };

	if (argc > 0)
		return command_usage("collect", "too many arguments");
	return agent_run(settings, &err) < 0 ? command_failed("collect", &err) : EXIT_DONE;
}

extern const struct command cli_collect;
const struct command cli_collect = {
	.name = "collect",
	.arguments = "",
	.summary = "run the agent in the foreground (what `tracer up` and systemd start)",
	.options = agent_option_table,
	.option_count = &agent_option_count,
	.settings_size = sizeof(struct agent_options),
	.run = run_collect,
};
