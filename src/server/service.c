/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/version.h"
#include "findings/threshold.h"
#include "server/admin/admin.h"
#include "server/server.h"
#include "server/access/tokens.h"

#define EXIT_USAGE 2

static const struct {
	const char *name;
	enum log_level level;
} LEVELS[] = {
	{ "error", LOG_LEVEL_ERROR },
	{ "warning", LOG_LEVEL_WARNING },
	{ "info", LOG_LEVEL_INFO },
	{ "debug", LOG_LEVEL_DEBUG },
};

static int say(const struct error *err, int status)
{
	fprintf(stderr, "tracer-lake: %s\n", error_text(err));
	return status;
}

static int set_log(const char *name)
{
	for (size_t i = 0; i < sizeof(LEVELS) / sizeof(LEVELS[0]); i++) {
		if (strcmp(LEVELS[i].name, name) == 0) {
			log_setup("tracer-lake", LEVELS[i].level);
			return 0;
		}
	}
	fprintf(stderr, "tracer-lake: log-level: \"%s\" is not error, warning, info or debug\n",
		name);
	return EXIT_USAGE;
}

static int help(void)
{
	CLEANUP(buffer_clear) struct buffer text = { 0 };

	buffer_init(&text, 0);
	buffer_append_text(&text, "tracer-lake [OPTIONS]: stores what agents send and serves it "
				  "(docs/api.md)\n"
				  "tracer-lake COMMAND [OPTIONS]: administers the lake of this "
				  "host (docs/operate.md)\n\n");
	for (size_t i = 0; i < ADMIN_COMMANDS_COUNT; i++)
		buffer_printf(&text, "  %s\n", ADMIN_COMMANDS[i]->summary);
	buffer_append_text(&text, "\n  --config FILE  read settings from this file first\n");
	config_help(&text, SETTINGS_OPTIONS, SETTINGS_OPTIONS_COUNT);
	fputs(text.data, stdout);
	return 0;
}

/* Waits for the end; the signals are blocked in every thread, so that only this one takes them. */
static void wait_for_end(struct server *server, const sigset_t *signals)
{
	struct error err = { "" };
	int number;

	while (sigwait(signals, &number) == 0 && number == SIGHUP)
		if (tokens_reload(server->tokens, false, &err))
			log_warning("%s; the tokens read before stay valid", error_text(&err));
	log_info("stopping on signal %d", number);
}

static int run(const struct settings *settings)
{
	struct server *server;
	struct error err = { "" };
	sigset_t signals;

	if (set_log(settings->log_level))
		return EXIT_USAGE;
	if (thresholds_set(settings->thresholds, &err))
		return say(&err, EXIT_USAGE);
	if (settings->listen_plain)
		log_warning("listen-plain is called insecure now: use that name");
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a file at its limit is an error of write(), like a full disk */
	if (server_start(&server, settings, &err))
		return say(&err, EXIT_FAILURE);
	log_info("tracer-lake %s (%s) serves %s", TRACER_VERSION, version_commit, server->url);
	wait_for_end(server, &signals);
	server_stop(server);
	log_info("stopped");
	return 0;
}

int server_main(int argc, char **argv)
{
	const struct admin_command *command = argc > 1 ? admin_find(argv[1]) : NULL;
	struct settings settings = { 0 };
	struct error err = { "" };
	int status;

	umask(077);
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--help") == 0)
			return help();
	if (command)
		return command->run(argc - 1, argv + 1);
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		printf("tracer-lake %s (%s)\n", TRACER_VERSION, version_commit);
		return 0;
	}
	status =
		settings_read(&settings, argc, argv, &err) ? say(&err, EXIT_USAGE) : run(&settings);
	settings_clear(&settings);
	return status;
}
