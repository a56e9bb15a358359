/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/http/http.h"
#include "cli/local/arguments.h"
#include "cli/lake/client.h"
#include "cli/local/folder.h"
#include "cli/local/joined.h"
#include "cli/local/lake_account.h"
#include "cli/terminal/print.h"
#include "cli/local/service.h"
#include "cli/local/up_join.h"
#include "cli/local/up_lake.h"
#include "cli/local/up_replay.h"
#include "collect/agent/agent.h"
#include "probe/api/probe.h"
#include "signal/bounds.h"

/* `tracer up`: the lake and the agent of this host, in the background. */

#define STOP_WAIT_NS   (20 * NS_PER_S)
#define NEEDS_MAX      32
#define PORT_AS_BEFORE "65536"
#define LAKE_HERE      "local" /* instead of a URL: after another host's, one of its own */
#define RULES_FOLDER   "/etc/tracer/rules.d"
#define TRACK          "rules"

struct up_settings {
	struct common common;
	uint64_t port;
	double price_usd_hour;
	char *provider, *region, *instance_type, *rules_folder, *track, *files;
	char *read_token_file, *tls_certificate_file, *tls_key_file, *lake_user;
	bool syscalls, replay;
};

#define UP_OPTION(key, type, field, fallback, min, max, help)                            \
	{                                                                                \
		key, type, offsetof(struct up_settings, field), fallback, min, max, help \
	}

static const struct config_option options[] = {
	COMMON_OPTIONS(struct up_settings),
	UP_OPTION("port", CONFIG_U64, port, PORT_AS_BEFORE, 0, 65536,
		  "the dashboard's port; 0: any free (65536: as before, at first 8717)"),
	UP_OPTION("price-usd-hour", CONFIG_DOUBLE, price_usd_hour, "0", 0, BOUND_PRICE_USD_HOUR,
		  "what an hour of this host costs (0: unknown)"),
	UP_OPTION("provider", CONFIG_TEXT, provider, "", 0, 0, "cloud provider: aws, gcp"),
	UP_OPTION("region", CONFIG_TEXT, region, "", 0, 0, "cloud region"),
	UP_OPTION("instance-type", CONFIG_TEXT, instance_type, "", 0, 0, "cloud instance type"),
	UP_OPTION("rules-folder", CONFIG_TEXT, rules_folder, RULES_FOLDER, 0, 0,
		  "folder with your rules (*.yaml)"),
	UP_OPTION("track", CONFIG_TEXT, track, TRACK, 0, 0,
		  "rules: what rules name, and all that it starts; all: every process"),
	UP_OPTION("files", CONFIG_TEXT, files, "on", 0, 0,
		  "on: record files of tracked work; off: without hooks on files and system calls"),
	UP_OPTION(
		"syscalls", CONFIG_BOOL, syscalls, "off", 0, 0,
		"count the system calls of tracked work; slows down every system call on this host"),
	UP_OPTION("read-token-file", CONFIG_TEXT, read_token_file, "", 0, 0,
		  "with --lake URL: file with a read token, for `tracer report` and others here"),
	UP_OPTION("tls-certificate-file", CONFIG_TEXT, tls_certificate_file, "", 0, 0,
		  "with --lake URL: this agent's own PEM certificate, where the lake wants one"),
	UP_OPTION("tls-key-file", CONFIG_TEXT, tls_key_file, "", 0, 0,
		  "with --lake URL: PEM key of the certificate"),
	UP_OPTION("lake-user", CONFIG_TEXT, lake_user, "", 0, 0,
		  "who the lake runs as: an account (default: tracer, else who called sudo)"),
	UP_OPTION("replay", CONFIG_BOOL, replay, "off", 0, 0,
		  "show a recorded run instead: FILE, or a built-in one; needs no privileges"),
};

static int check_host(void)
{
	struct probe_need needs[NEEDS_MAX];
	size_t count = probe_needs(needs, NEEDS_MAX);
	int lacks = 0;

	for (size_t i = 0; i < count; i++) {
		if (needs[i].met || !needs[i].required)
			continue;
		fprintf(stderr, "tracer up: this host lacks %s (%s): %s\n", needs[i].what,
			needs[i].detail, needs[i].cure);
		lacks++;
	}
	if (lacks > 0)
		fprintf(stderr, "tracer up: `tracer up --replay` shows a recorded run instead\n");
	return lacks;
}

static bool agent_ready(const char *data)
{
	char url[FOLDER_PATH_SIZE];

	snprintf(url, sizeof(url), "http+unix://%s/agent/%s", data, AGENT_CONTROL_SOCKET);
	return up_answers(url, "/status");
}

static void add_settings(struct arguments *arguments, const struct up_settings *settings)
{
	arguments_add(arguments, "--rules-folder=%s", settings->rules_folder);
	arguments_add(arguments, "--track=%s", settings->track);
	arguments_add(arguments, "--files=%s", settings->files);
	arguments_add(arguments, "--syscalls=%s", settings->syscalls ? "on" : "off");
	arguments_add(arguments, "--price-usd-hour=%.9g", settings->price_usd_hour);
	arguments_add(arguments, "--provider=%s", settings->provider);
	arguments_add(arguments, "--region=%s", settings->region);
	arguments_add(arguments, "--instance-type=%s", settings->instance_type);
}

/* Whether the process was started with this argument; true also if the process is ending and its
 * command line is gone. */
static bool was_given(pid_t pid, const char *argument)
{
	char path[64], *text CLEANUP(freep) = NULL;
	size_t len;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	if (file_read(AT_FDCWD, path, 1 << 20, &text, &len) < 0 || len == 0)
		return true;
	for (const char *at = text; at < text + len; at += strlen(at) + 1)
		if (strcmp(at, argument) == 0)
			return true;
	return false;
}

/* A running lake or agent keeps its settings: `tracer up` with other settings must not seem to
 * work. */
static bool lake_differs(const struct up_settings *settings)
{
	char *url CLEANUP(freep) = up_lake_url(settings->common.data);
	const char *colon = url ? strrchr(url, ':') : NULL;

	if (!colon || service_find(settings->common.data, "lake") == 0)
		return false;
	if (settings->lake_user[0] &&
	    lake_account_differs(settings->common.data, settings->lake_user))
		return true;
	/* 0: any port. */
	return settings->port > 0 && settings->port <= 65535 &&
	       strtoul(colon + 1, NULL, 10) != settings->port;
}

static bool agent_differs(const struct up_settings *settings)
{
	struct arguments arguments CLEANUP(arguments_clear) = { 0 };
	pid_t pid = service_find(settings->common.data, "agent");
	/* Which settings the user gave, in the order of add_settings(). */
	const bool given[] = { strcmp(settings->rules_folder, RULES_FOLDER) != 0,
			       strcmp(settings->track, TRACK) != 0,
			       strcmp(settings->files, "on") != 0,
			       settings->syscalls,
			       settings->price_usd_hour > 0,
			       settings->provider[0] != '\0',
			       settings->region[0] != '\0',
			       settings->instance_type[0] != '\0' };

	if (pid == 0)
		return false;
	add_settings(&arguments, settings);
	for (size_t i = 0; i < arguments.count; i++)
		if (given[i] && arguments.texts[i] && !was_given(pid, arguments.texts[i]))
			return true;
	return false;
}

/* Whether this host is to send to the lake of another: now named, or as before. */
static bool joins(const struct up_settings *settings)
{
	const char *lake = settings->common.lake;

	return lake[0] ? strcmp(lake, LAKE_HERE) != 0 : joined_is(settings->common.data);
}

/* A running agent keeps its lake. */
static bool lake_of_agent_differs(const struct up_settings *settings)
{
	pid_t pid = service_find(settings->common.data, "agent");
	const char *lake = settings->common.lake;
	char argument[JOINED_URL_SIZE + 16];

	if (pid == 0 || !lake[0])
		return false;
	if (strcmp(lake, LAKE_HERE) == 0)
		return joined_is(settings->common.data);
	snprintf(argument, sizeof(argument), "--lake=%s", lake);
	return !was_given(pid, argument);
}

static void add_joined_lake(struct arguments *arguments, const char *data)
{
	char url[JOINED_URL_SIZE], path[FOLDER_PATH_SIZE];

	arguments_add(arguments, "--lake=%s", joined_url(data, url));
	arguments_add(arguments, "--token-file=%s/joined/ingest", data);
	arguments_add(arguments, "--tls-ca-file=%s", joined_file(data, "ca.pem", path));
	arguments_add(arguments, "--tls-certificate-file=%s",
		      joined_path(data, "certificate", path));
	arguments_add(arguments, "--tls-key-file=%s", joined_path(data, "key", path));
}

static int start_agent(const struct up_settings *settings, struct error *err)
{
	struct arguments arguments CLEANUP(arguments_clear) = { 0 };
	const char *data = settings->common.data;
	char path[FOLDER_PATH_SIZE], *url CLEANUP(freep) = up_lake_url(data);
	pid_t pid = service_find(data, "agent");
	int status;

	if (!url)
		return error_set(err, -ENOMEM, "no memory");
	/* An agent that was killed takes a moment to end: the kernel detaches its programs. */
	status = pid > 0 ? up_wait(data, "agent", pid, agent_ready, err) : -ECHILD;
	if (status != -ECHILD)
		return status;
	status = up_program(NULL, path, err);
	if (status < 0)
		return status;
	arguments_add(&arguments, "%s", path);
	arguments_add(&arguments, "collect");
	if (joins(settings)) {
		add_joined_lake(&arguments, data);
	} else {
		arguments_add(&arguments, "--lake=%s", url);
		arguments_add(&arguments, "--token-file=%s/tokens/ingest", data);
	}
	arguments_add(&arguments, "--state-folder=%s/agent", data);
	add_settings(&arguments, settings);
	status = service_start(data, "agent", arguments.texts, &pid, err);
	return status < 0 ? status : up_wait(data, "agent", pid, agent_ready, err);
}

static int print_login(const struct up_settings *settings, const char *next, struct error *err)
{
	json_t *link CLEANUP(json_decrefp) = NULL;
	int status = client_post(&settings->common, "/login-links", &link, err);

	if (status < 0)
		return status;
	if (settings->common.json)
		print_json(link);
	else
		printf("Tracer is up. Dashboard (this link logs in once, within %lld minutes):\n\n"
		       "    %s\n\n"
		       "%s\n",
		       (long long)json_integer_value(json_object_get(link, "expires_s")) / 60,
		       json_string_value(json_object_get(link, "url")), next);
	return 0;
}

/* Starts the lake without an agent, which would mix real runs with recorded ones. */
static int show_recorded(struct up_settings *settings, const char *file, struct error *err)
{
	int status = folder_own(&settings->common.data);

	if (status < 0)
		return error_set(err, status, "no memory");
	if (service_find(settings->common.data, "agent") > 0)
		return error_set(err, -EBUSY,
				 "Tracer is running and records this host: add a recorded run with "
				 "`tracer replay FILE --now`, or run `tracer down` first");
	status = folder_make(settings->common.data, err);
	if (status == 0)
		status = up_start_lake(settings->common.data, settings->port, settings->lake_user,
				       err);
	if (status == 0)
		status = up_replay(&settings->common, file, err);
	if (status == 0)
		status = print_login(settings, "Next: `tracer report`. To stop: `tracer down`.",
				     err);
	return status;
}

static int start_both(struct up_settings *settings, struct error *err)
{
	int status = folder_make(settings->common.data, err);

	if (status == 0) {
		joined_forget(settings->common.data);
		settings->common.lake[0] = '\0'; /* LAKE_HERE: its URL is in the data folder */
	}
	if (status == 0)
		status = up_start_lake(settings->common.data, settings->port, settings->lake_user,
				       err);
	if (status == 0)
		status = start_agent(settings, err);
	if (status < 0)
		return status;
	up_replay_forget(settings->common.data);
	return print_login(settings, "Next: run a pipeline as always, then `tracer report`.", err);
}

static int start_joined(const struct up_settings *settings, struct error *err)
{
	const struct up_join join = { .data = settings->common.data,
				      .url = settings->common.lake,
				      .token_file = settings->common.token_file,
				      .read_token_file = settings->read_token_file,
				      .ca_file = settings->common.tls_ca_file,
				      .certificate_file = settings->tls_certificate_file,
				      .key_file = settings->tls_key_file,
				      .as_json = settings->common.json };
	int status = up_join_prepare(&join, err);

	if (status == 0)
		status = start_agent(settings, err);
	if (status == 0)
		up_replay_forget(settings->common.data);
	return up_join_finish(&join, status, err);
}

static int run_up(void *settings_, int argc, char **argv)
{
	struct up_settings *settings = settings_;
	struct error err = { 0 };
	int status;

	if (argc > settings->replay)
		return command_usage("up", "too many arguments");
	if (lake_differs(settings) || agent_differs(settings) || lake_of_agent_differs(settings)) {
		fprintf(stderr, "tracer up: Tracer is running with other settings: run `tracer "
				"down` first, then `tracer up …`\n");
		return EXIT_FAILED;
	}
	if (settings->replay)
		status = show_recorded(settings, argc > 0 ? argv[0] : NULL, &err);
	else if (check_host() > 0)
		return EXIT_FAILED;
	else if (joins(settings))
		status = start_joined(settings, &err);
	else
		status = start_both(settings, &err);
	return status < 0 ? command_failed("up", &err) : EXIT_DONE;
}

extern const struct command cli_up;
const struct command cli_up = {
	.name = "up",
	.arguments = "[--replay [FILE] | --lake URL --token-file FILE]",
	.summary =
		"start Tracer on this host (with --lake: send to that of another) and print the dashboard's address",
	OPTIONS(options),
	.settings_size = sizeof(struct up_settings),
	.run = run_up,
};
