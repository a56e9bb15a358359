/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_agent.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/http/http.h"
#include "signal/batch.h"
#include "wait.h"

extern char **environ;
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

/* Keeps a batch unless it is there; two different ones with one number are the agent's fault. */
static bool keep(struct scene *scene, Signal__Batch *batch)
{
	struct sink_kept *kept = &scene->kept;

	for (size_t i = 0; i < kept->count; i++) {
		const Signal__Batch *other = kept->batches[i];

		if (other->sequence != batch->sequence ||
		    strcmp(other->agent_id, batch->agent_id) != 0)
			continue;
		assert_int_equal(other->created_at, batch->created_at);
		scene->repeated++;
		batch_free(batch);
		return false;
	}
	assert_true(kept->count < SINK_BATCHES);
	kept->batches[kept->count++] = batch;
	return true;
}

static void on_request(struct evhttp_request *request, void *context)
{
	struct scene *scene = context;
	struct evbuffer *body = evhttp_request_get_input_buffer(request);
	struct evbuffer *answer = evbuffer_new();
	size_t len = evbuffer_get_length(body);
	Signal__Batch *batch;
	struct error err = { 0 };
	uint64_t sequence;
	bool is_new;

	assert_int_equal(batch_unpack(evbuffer_pullup(body, -1), len, &batch, &err), 0);
	sequence = batch->sequence;
	is_new = keep(scene, batch);
	evbuffer_add_printf(answer, "{\"sequence\":%llu,\"duplicate\":%s}",
			    (unsigned long long)sequence, is_new ? "false" : "true");
	evhttp_send_reply(request, 200, "OK", answer);
	evbuffer_free(answer);
}

void lake_up(struct scene *scene)
{
	struct evhttp_bound_socket *bound;
	struct sockaddr_in address;
	socklen_t len = sizeof(address);

	scene->lake = evhttp_new(scene->base);
	evhttp_set_gencb(scene->lake, on_request, scene);
	bound = evhttp_bind_socket_with_handle(scene->lake, "127.0.0.1", scene->port);
	assert_non_null(bound);
	getsockname(evhttp_bound_socket_get_fd(bound), (struct sockaddr *)&address, &len);
	scene->port = ntohs(address.sin_port);
}

void lake_down(struct scene *scene)
{
	if (scene->lake)
		evhttp_free(scene->lake);
	scene->lake = NULL;
}

static void set(char **option, const char *text)
{
	free(*option);
	*option = strdup(text);
}

static void name(char *ret, size_t size, const struct scene *scene, const char *last)
{
	(void)snprintf(ret, size, "%s/%s", scene->folder, last);
}

void scene_begin(struct scene *scene)
{
	memset(scene, 0, sizeof(*scene));
	(void)snprintf(scene->folder, sizeof(scene->folder), "/tmp/tracer-agent-XXXXXX");
	assert_non_null(mkdtemp(scene->folder));
	name(scene->state, sizeof(scene->state), scene, "state");
	name(scene->rules, sizeof(scene->rules), scene, "rules");
	name(scene->token, sizeof(scene->token), scene, "token");
	assert_int_equal(file_write(scene->token, "token\n", 6, 0600, NULL), 0);
	assert_int_equal(file_make_folder(scene->rules, 0700, NULL), 0);
	scene->base = event_base_new();
	lake_up(scene);
	(void)snprintf(scene->url, sizeof(scene->url), "http://127.0.0.1:%u", scene->port);
	assert_int_equal(config_defaults(&scene->options, agent_option_table, agent_option_count),
			 0);
	set(&scene->options.lake, scene->url);
	set(&scene->options.token_file, scene->token);
	set(&scene->options.state_folder, scene->state);
	set(&scene->options.rules_folder, scene->rules);
	set(&scene->options.track, "all");
	set(&scene->options.cloud, "off");
	scene->options.drivers = false; /* who runs the tests is not their subject */
	set(&scene->options.log_level, "error");
	scene->options.sample_interval_ns = NS_PER_S;
	scene->options.flush_interval_ns = 100 * NS_PER_MS;
}

void scene_end(struct scene *scene)
{
	if (scene->agent > 0)
		agent_signal(scene, SIGKILL);
	lake_down(scene);
	event_base_free(scene->base);
	sink_clear(&scene->kept);
	config_clear(&scene->options, agent_option_table, agent_option_count);
	file_remove_tree(scene->folder);
}

/* The child: the test's sockets are closed there, or the lake would seem to be up when it is not.
 */
static void run_agent(const struct scene *scene)
{
	struct error err = { 0 };
	int result;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close_range(3, ~0U, 0);
	result = agent_run(&scene->options, &err);
	if (result < 0)
		(void)fprintf(stderr, "agent: %s\n", error_text(&err));
	if (__lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check())
		_exit(23);
	_exit(result < 0 ? 1 : 0);
}

/* GET /status, or 0. */
static int ask(const struct scene *scene, char **ret_body)
{
	char url[160];
	const struct http_options options = { .url = url,
					      .timeout_ns = WAIT_S * NS_PER_S,
					      .response_limit = 64 << 10 };
	int status = 0;
	size_t len;

	*ret_body = NULL;
	(void)snprintf(url, sizeof(url), "http+unix://%s/%s", scene->state, AGENT_CONTROL_SOCKET);
	if (http_fetch(&options, "GET", "/status", NULL, NULL, 0, &status, ret_body, &len, NULL) <
	    0)
		return 0;
	return status;
}

static bool answers(const struct scene *scene)
{
	char *body;
	int status;

	assert_int_equal(waitpid(scene->agent, NULL, WNOHANG), 0);
	status = ask(scene, &body);
	free(body);
	return status == 200;
}

void agent_start(struct scene *scene)
{
	scene->agent = fork();
	assert_true(scene->agent >= 0);
	if (scene->agent == 0)
		run_agent(scene);
	WAIT_DOING(answers(scene), scene_wait(scene, 20), "the agent to answer");
}

void agent_signal(struct scene *scene, int number)
{
	int status;

	assert_int_equal(kill(scene->agent, number), 0);
	if (number != SIGTERM && number != SIGKILL)
		return;
	status = scene_reap(scene, scene->agent);
	scene->agent = 0;
	if (number == SIGTERM) {
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 0);
	}
}

void agent_reload(struct scene *scene)
{
	agent_signal(scene, SIGHUP);
	for (int i = 0; i < 2; i++)
		free(agent_text(scene));
}

char *agent_text(struct scene *scene)
{
	char *body;

	assert_int_equal(ask(scene, &body), 200);
	return body;
}

uint64_t agent_number(struct scene *scene, const char *member)
{
	char key[64], *body = agent_text(scene), *found;
	uint64_t number;

	(void)snprintf(key, sizeof(key), "\"%s\":", member);
	found = strstr(body, key);
	assert_non_null(found);
	number = strtoull(found + strlen(key), NULL, 10);
	free(body);
	return number;
}

void scene_wait(struct scene *scene, unsigned ms)
{
	const struct timeval time = { .tv_sec = ms / 1000, .tv_usec = (ms % 1000) * 1000 };

	event_base_loopexit(scene->base, &time);
	event_base_dispatch(scene->base);
}

void scene_wait_until(struct scene *scene, scene_done *done, const void *context, const char *what)
{
	WAIT_DOING(done(scene, context), scene_wait(scene, 20), what);
}

pid_t scene_spawn(const char *const *argv)
{
	pid_t pid;

	assert_int_equal(
		posix_spawn(&pid, argv[0], NULL, NULL, (char *const *)(uintptr_t)argv, environ), 0);
	return pid;
}

int scene_reap(struct scene *scene, pid_t pid)
{
	int status = 0;

	WAIT_DOING(waitpid(pid, &status, WNOHANG) != 0, scene_wait(scene, 10), "a process to end");
	return status;
}

const Signal__Execution *last_of(const struct scene *scene, pid_t pid)
{
	size_t count = sink_execution_count(&scene->kept, (uint32_t)pid, 0);

	return count ? sink_execution(&scene->kept, (uint32_t)pid, 0, count - 1) : NULL;
}

bool has_ended(struct scene *scene, const void *pid)
{
	const Signal__Execution *last = last_of(scene, *(const pid_t *)pid);

	return last && last->ended_at && strcmp(last->status, "replaced") != 0;
}

size_t scan_count(const struct scene *scene)
{
	size_t count = 0;

	for (size_t i = 0; i < scene->kept.count; i++)
		count += scene->kept.batches[i]->n_scans;
	return count;
}

bool has_scans(struct scene *scene, const void *count)
{
	return scan_count(scene) >= *(const size_t *)count;
}
