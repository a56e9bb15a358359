/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/command.h"
#include "collect/agent/agent.h"

/* `tracer audit`: runs the agent and prints what it would send, instead of sending it. */

struct audit_settings {
	uint64_t seconds;
	char *rules_folder, *track, *log_level, *force_hook;
	bool syscalls;
};

static const struct config_option options[] = {
	{ "seconds", CONFIG_U64, offsetof(struct audit_settings, seconds), "10", 0, 86400,
	  "how long to watch (0: until interrupted)" },
	{ "rules-folder", CONFIG_TEXT, offsetof(struct audit_settings, rules_folder),
	  "/etc/tracer/rules.d", 0, 0, "folder with your rules (*.yaml)" },
	{ "track", CONFIG_TEXT, offsetof(struct audit_settings, track), "rules", 0, 0,
	  "rules: what rules name, and all that it starts; all: every process" },
	{ "syscalls", CONFIG_BOOL, offsetof(struct audit_settings, syscalls), "off", 0, 0,
	  "count the system calls of tracked work" },
	{ "log-level", CONFIG_TEXT, offsetof(struct audit_settings, log_level), "info", 0, 0,
	  "error, warning, info or debug" },
	{ "force-hook", CONFIG_TEXT, offsetof(struct audit_settings, force_hook), "", 0, 0,
	  "for diagnosis: serve figures by fentry, kprobe, tracepoint or their last resort" },
};

/* Sends SIGTERM to this process after so many seconds: the agent stops as systemd would stop it. */
static void stop_after(uint64_t seconds)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGTERM };
	struct itimerspec when = { .it_value.tv_sec = (time_t)seconds };
	timer_t timer;

	if (seconds > 0 && timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
		timer_settime(timer, 0, &when, NULL);
}

static int replace(char **text, const char *with)
{
	char *copy = strdup(with);

	if (!copy)
		return -1;
	free(*text);
	*text = copy;
	return 0;
}

static int run_audit(void *settings_, int argc, char **argv)
{
	const struct audit_settings *settings = settings_;
	struct agent_options agent = { 0 };
	struct error err = { 0 };
	int status = EXIT_FAILED;

	if (argc > 0)
		return command_usage("audit", "too many arguments");
	if (config_defaults(&agent, agent_option_table, agent_option_count) == 0 &&
	    replace(&agent.rules_folder, settings->rules_folder) == 0 &&
	    replace(&agent.track, settings->track) == 0 &&
	    replace(&agent.log_level, settings->log_level) == 0 &&
	    replace(&agent.force_hook, settings->force_hook) == 0) {
		agent.audit = true;
		agent.syscalls = settings->syscalls;
		stop_after(settings->seconds);
		status = agent_run(&agent, &err) < 0 ? command_failed("audit", &err) : EXIT_DONE;
	}
	config_clear(&agent, agent_option_table, agent_option_count);
	return status;
}

extern const struct command cli_audit;
const struct command cli_audit = {
	.name = "audit",
	.arguments = "",
	.summary = "print, as JSON, exactly what the agent would send",
	OPTIONS(options),
	.settings_size = sizeof(struct audit_settings),
	.run = run_audit,
};
