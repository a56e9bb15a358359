/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/http/http.h"
#include "cli/lake/client.h"
#include "cli/lake/lake_access.h"
#include "cli/local/folder.h"
#include "cli/local/joined.h"
#include "cli/terminal/print.h"
#include "cli/local/service.h"
#include "cli/report/status/status_lake.h"
#include "cli/report/status/status_losses.h"
#include "cli/report/status/status_programs.h"
#include "cli/local/up_replay.h"
#include "collect/agent/agent.h"

/* `tracer status`: whether lake and agent run, what the agent delivered, which records are missing.
 */

struct status_settings {
	struct common common;
};

static const struct config_option options[] = { COMMON_OPTIONS(struct status_settings) };

static json_t *query_agent(const char *data)
{
	char url[FOLDER_PATH_SIZE], *body CLEANUP(freep) = NULL;
	struct http_options http = { .timeout_ns = 5 * NS_PER_S, .response_limit = 1 << 20 };
	int status = 0;
	size_t len;

	snprintf(url, sizeof(url), "http+unix://%s/agent/%s", data, AGENT_CONTROL_SOCKET);
	http.url = url;
	if (http_fetch(&http, "GET", "/status", NULL, NULL, 0, &status, &body, &len, NULL) < 0 ||
	    status != 200)
		return NULL;
	return json_loadb(body, len, 0, NULL);
}

static json_t *describe_lake(const char *data)
{
	char path[FOLDER_PATH_SIZE], *url CLEANUP(freep) = NULL;
	char remote[JOINED_URL_SIZE];
	pid_t pid = service_find(data, "lake");
	size_t len;

	if (joined_url(data, remote)[0])
		return json_pack("{s:s, s:s, s:b}", "state", "remote", "url", remote, "can_read",
				 joined_file(data, "read", path)[0] != '\0');
	if (pid == 0 && lake_access_socket(data))
		return json_pack("{s:s, s:b}", "state", "service", "can_read", true);
	if (pid == 0)
		return json_pack("{s:s}", "state", "stopped");
	/* Empty until it serves. */
	if (file_read(AT_FDCWD, folder_path(data, "lake.url", path), 4096, &url, &len) < 0 ||
	    len == 0)
		return json_pack("{s:s, s:i}", "state", "starting", "pid", (int)pid);
	url[strcspn(url, "\n")] = '\0';
	return json_pack("{s:s, s:i, s:s}", "state", "running", "pid", (int)pid, "url", url);
}

/* Whether it can be asked: it runs, and there is a token. */
static bool is_asked(const struct common *common, const json_t *lake)
{
	const json_t *can_read = json_object_get(lake, "can_read");

	return json_object_get(lake, "url") && (!json_is_false(can_read) || common->token_file[0]);
}

/* Adds the lake's hosts with their losses and the state of its certificate, or the error of the
 * query. */
static void add_hosts(const struct common *common, json_t *lake)
{
	json_t *document CLEANUP(json_decrefp) = NULL, *self CLEANUP(json_decrefp) = NULL;
	struct error err = { 0 };

	if (!is_asked(common, lake))
		return;
	if (client_get(common, "/lake", &self, NULL) == 0)
		json_object_set(lake, "tls", json_object_get(self, "tls"));
	if (client_get(common, "/hosts", &document, &err) < 0)
		json_object_set_new(lake, "error", json_string(error_text(&err)));
	else
		json_object_set(lake, "hosts", json_object_get(document, "hosts"));
}

static void print_line(const char *label, const char *text)
{
	fputs(label, stdout);
	print_text(stdout, text);
	putchar('\n');
}

static void print_agent(const json_t *agent)
{
	const json_t *spool = json_object_get(agent, "spool"),
		     *uploader = json_object_get(agent, "uploader"), *count;
	const char *key, *words = json_string_value(json_object_get(uploader, "last_error"));

	print_labelled(stdout, "agent  running, pid ", agent, "pid", FORMAT_TEXT, NULL);
	print_labelled(stdout, ", follows ", agent, "processes", FORMAT_COUNT, NULL);
	print_labelled(stdout, " processes, memory ", agent, "rss_bytes", FORMAT_BYTES, NULL);
	print_labelled(stdout, ", kernel maps ", agent, "map_bytes", FORMAT_BYTES, NULL);
	print_labelled(stdout, ", CPU since start ", agent, "cpu_ns", FORMAT_NS, NULL);
	print_labelled(stdout, "\n       ring ", agent, "ring_bytes", FORMAT_BYTES, NULL);
	print_labelled(stdout, ", at most ", agent, "ring_peak_bytes", FORMAT_BYTES, NULL);
	printf(" of it waited in the last interval");
	print_labelled(stdout, "\n       delivered ", uploader, "records", FORMAT_COUNT, NULL);
	print_labelled(stdout, " records in ", uploader, "batches", FORMAT_COUNT, NULL);
	print_labelled(stdout, " batches, waiting ", spool, "entries", FORMAT_COUNT, NULL);
	print_labelled(stdout, " (", spool, "bytes", FORMAT_BYTES, NULL);
	print_labelled(stdout, "), uploader ", uploader, "state", FORMAT_TEXT, NULL);
	printf("\n");
	if (words && *words)
		print_line("       ! last delivery failed: ", words);
	json_object_foreach((json_t *)json_object_get(agent, "losses"), key, count)
	{
		if (json_integer_value(count) <= 0)
			continue;
		printf("       ! missing since start: %lld", (long long)json_integer_value(count));
		print_line(" ", key);
	}
	status_programs(stdout, json_object_get(agent, "programs"));
}

static void print_lake(const json_t *lake)
{
	const char *url = json_string_value(json_object_get(lake, "url"));
	const char *words = json_string_value(json_object_get(lake, "error"));

	const char *state = json_string_value(json_object_get(lake, "state"));

	if (url && strcmp(state, "remote") == 0)
		print_line("lake   of another host, at ", url);
	else if (url)
		print_line("lake   running at ", url);
	else if (strcmp(state, "service") == 0)
		printf("lake   running, not started by `tracer up`: join this host to it by\n"
		       "       `sudo tracer up --lake URL --token-file FILE`\n");
	else
		printf("lake   starting\n");
	if (words)
		print_line("       ! does not answer: ", words);
	if (json_is_false(json_object_get(lake, "can_read")) && !json_object_get(lake, "hosts"))
		printf("       ! what it has of this host is not known: `tracer up "
		       "--read-token-file FILE`\n");
	status_lake_tls(stdout, json_object_get(lake, "tls"));
	status_losses(stdout, json_object_get(lake, "hosts"));
}

/* The socket answers every user, the folder only its owner. */
static int say_other_user(bool as_json)
{
	printf(as_json ? "{\"lake\":{\"state\":\"running\"},\"agent\":null,\"recorded\":null}\n"
		       : "lake   running; `tracer runs` lists your own runs\n"
			 "agent  not known without sudo\n");
	return EXIT_DONE;
}

static int run_status(void *settings_, int argc, char **argv)
{
	const struct status_settings *settings = settings_;
	json_t *lake CLEANUP(json_decrefp) = NULL, *agent CLEANUP(json_decrefp) = NULL;
	json_t *both CLEANUP(json_decrefp) = NULL;
	char *recorded CLEANUP(freep) = NULL;
	struct error err = { 0 };
	bool lake_runs;

	if (argc > 0)
		return command_usage("status", "too many arguments");
	if (folder_check(settings->common.data, &err) < 0)
		return lake_access_socket(settings->common.data)
			       ? say_other_user(settings->common.json)
			       : command_failed("status", &err);
	lake = describe_lake(settings->common.data);
	agent = query_agent(settings->common.data);
	lake_runs = json_object_get(lake, "pid") || json_object_get(lake, "can_read");
	add_hosts(&settings->common, lake);
	if (lake_runs && !agent)
		recorded = up_replayed(settings->common.data);
	if (settings->common.json) {
		both = json_pack("{s:O, s:O?, s:s?}", "lake", lake, "agent", agent, "recorded",
				 recorded);
		print_json(both);
	} else {
		if (lake_runs)
			print_lake(lake);
		else
			printf("lake   stopped (start with: sudo tracer up)\n");
		if (agent)
			print_agent(agent);
		else if (recorded)
			print_line("agent  none: the lake shows a recorded run: ", recorded);
		else
			printf("agent  stopped (start with: sudo tracer up)\n");
	}
	return lake_runs && (agent || recorded) ? EXIT_DONE : EXIT_NOTHING;
}

extern const struct command cli_status;
const struct command cli_status = {
	.name = "status",
	.arguments = "",
	.summary = "show whether Tracer runs here, what it delivered, which records are missing",
	OPTIONS(options),
	.settings_size = sizeof(struct status_settings),
	.run = run_status,
};
