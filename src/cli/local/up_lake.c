/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/local/up_lake.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/http/http.h"
#include "cli/lake/lake_access.h"
#include "cli/local/arguments.h"
#include "cli/local/lake_account.h"
#include "cli/local/service.h"

#define READY_WAIT_NS (20 * NS_PER_S)
#define STOP_WAIT_NS  (20 * NS_PER_S)
#define PORT_DEFAULT  8717
#define NICENESS      5 /* the pipelines of this host come first; its threads inherit it */

bool up_answers(const char *url, const char *path)
{
	struct http_options http = { .url = url,
				     .timeout_ns = 2 * NS_PER_S,
				     .response_limit = 1 << 20 };
	char *body CLEANUP(freep) = NULL;
	int status = 0;
	size_t len;

	return http_fetch(&http, "GET", path, NULL, NULL, 0, &status, &body, &len, NULL) == 0 &&
	       status == 200;
}

char *up_lake_url(const char *data)
{
	char path[FOLDER_PATH_SIZE], *url = NULL;
	size_t len;

	if (file_read(AT_FDCWD, folder_path(data, "lake.url", path), 4096, &url, &len) < 0)
		return strdup("");
	url[strcspn(url, "\n")] = '\0';
	return url;
}

static bool lake_ready(const char *data)
{
	char *url CLEANUP(freep) = up_lake_url(data);

	return url && url[0] && up_answers(url, "/healthz");
}

int up_wait(const char *data, const char *name, pid_t pid, bool (*ready)(const char *),
	    struct error *err)
{
	uint64_t until = clock_monotonic_ns() + READY_WAIT_NS;
	char words[400];

	while (!ready(data)) {
		if (!service_alive(pid)) {
			service_stop(data, name, 0);
			return error_set(err, -ECHILD, "the %s ended at once: %s", name,
					 service_last_words(data, name, words, sizeof(words)));
		}
		if (clock_monotonic_ns() > until)
			return error_set(err, -ETIME,
					 "the %s is not ready after %lld s: see %s/%s.log", name,
					 READY_WAIT_NS / NS_PER_S, data, name);
		usleep(20000);
	}
	return 0;
}

int up_program(const char *name, char path[FOLDER_PATH_SIZE], struct error *err)
{
	ssize_t len = readlink("/proc/self/exe", path, FOLDER_PATH_SIZE - 64);
	char *slash;

	if (len < 0)
		return error_set(err, -errno, "cannot read /proc/self/exe: is /proc mounted?");
	path[len] = '\0';
	slash = strrchr(path, '/');
	if (name && slash)
		snprintf(slash + 1, 64, "%s", name);
	if (access(path, X_OK) < 0)
		return error_set(err, -ENOENT, "%s is missing: install it in the folder of tracer",
				 path);
	return 0;
}

/* A lake that is started again takes its old port, which the agent and browsers use. */
static unsigned choose_port(uint64_t port, const char *url_before)
{
	const char *colon = strrchr(url_before, ':');

	if (port <= 65535)
		return (unsigned)port;
	return colon ? (unsigned)strtoul(colon + 1, NULL, 10) : PORT_DEFAULT;
}

/* Stops an agent that still sends to the old address of the lake, so that it is started again. */
static void stop_stale_agent(const char *data, const char *url_before)
{
	char *url CLEANUP(freep) = up_lake_url(data);

	if (url && strcmp(url, url_before) != 0 && service_find(data, "agent") > 0)
		service_stop(data, "agent", STOP_WAIT_NS);
}

int up_start_lake(const char *data, uint64_t port, const char *user, struct error *err)
{
	struct arguments arguments CLEANUP(arguments_clear) = { 0 };
	char path[FOLDER_PATH_SIZE], *url_before CLEANUP(freep) = up_lake_url(data);
	pid_t pid = service_find(data, "lake");
	int status;

	if (!url_before)
		return error_set(err, -ENOMEM, "no memory");
	/* A lake that was killed takes a moment to end: then up_wait() returns -ECHILD. */
	status = pid > 0 ? up_wait(data, "lake", pid, lake_ready, err) : -ECHILD;
	if (status != -ECHILD)
		return status;
	if (pid == 0 && lake_access_socket(data))
		return error_set(err, -EADDRINUSE,
				 "a lake runs here that `tracer up` did not start: join this host "
				 "to it by --lake URL --token-file FILE");
	status = lake_account_prepare(data, user, err);
	if (status == 0)
		status = up_program("tracer-lake", path, err);
	if (status < 0)
		return status;
	arguments_add(&arguments, "%s", path);
	arguments_add(&arguments, "--data-folder=%s/lake", data);
	arguments_add(&arguments, "--tokens-folder=%s/tokens", data);
	arguments_add(&arguments, "--url-file=%s/lake.url", data);
	arguments_add(&arguments, "--listen=127.0.0.1:%u", choose_port(port, url_before));
	/* Where its path fits into an address (unix(7)). */
	if (strlen(folder_path(data, LAKE_SOCKET, path)) <
	    sizeof(((struct sockaddr_un *)0)->sun_path))
		arguments_add(&arguments, "--socket=%s", path);
	unlink(folder_path(data, "lake.url", path));
	status = service_start(data, "lake", arguments.texts, &pid, err);
	if (status == 0) {
		if (getpriority(PRIO_PROCESS, (id_t)pid) < NICENESS)
			(void)setpriority(PRIO_PROCESS, (id_t)pid, NICENESS);
		status = up_wait(data, "lake", pid, lake_ready, err);
	}
	if (status == 0)
		stop_stale_agent(data, url_before);
	return status;
}
