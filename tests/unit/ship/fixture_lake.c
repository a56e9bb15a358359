/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_lake.h"

#include <arpa/inet.h>
#include <event2/buffer.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/file.h"
#include "wait.h"

#define MIB ((uint64_t)1 << 20)

static bool lake_keep(struct lake *lake, uint64_t sequence)
{
	for (unsigned i = 0; i < lake->count; i++)
		if (lake->taken[i] == sequence)
			return true;
	assert_true(lake->count < LAKE_MOST);
	lake->taken[lake->count++] = sequence;
	return false;
}

static int judge(struct lake *lake, struct evhttp_request *request, uint64_t *ret_sequence)
{
	struct evkeyvalq *headers = evhttp_request_get_input_headers(request);
	const char *authorization = evhttp_find_header(headers, "Authorization");
	char expected[80];
	snprintf(expected, sizeof(expected), "Bearer %s", lake->token);
	assert_string_equal(evhttp_request_get_uri(request), "/api/v1/ingest");
	assert_int_equal(evhttp_request_get_command(request), EVHTTP_REQ_POST);
	assert_string_equal(evhttp_find_header(headers, "Content-Type"), "application/x-protobuf");
	assert_string_equal(evhttp_find_header(headers, "Content-Encoding"), "zstd");
	evbuffer_copyout(evhttp_request_get_input_buffer(request), ret_sequence,
			 sizeof(*ret_sequence));
	if (!authorization || strcmp(authorization, expected) != 0)
		return 401;
	if (lake->status_of_sequence && lake->status_of_sequence != (int)*ret_sequence)
		return 0;
	return lake->status;
}

static void on_request(struct evhttp_request *request, void *context)
{
	struct lake *lake = context;
	struct evbuffer *body = evbuffer_new();
	uint64_t sequence = 0;
	int status = judge(lake, request, &sequence);
	lake->requests++;
	if (status != 0 && lake->retry_after)
		evhttp_add_header(evhttp_request_get_output_headers(request), "Retry-After",
				  lake->retry_after);
	if (lake->says) {
		evbuffer_add_printf(body, "%s", lake->says);
	} else if (status == 0) {
		bool duplicate = lake_keep(lake, sequence);
		lake->duplicates += duplicate;
		evbuffer_add_printf(body, "{\"sequence\":%llu,\"duplicate\":%s}",
				    (unsigned long long)sequence, duplicate ? "true" : "false");
	}
	if (!(status == 0 && lake->forgets_answer))
		evhttp_send_reply(request, status ? status : 200, "x", body);
	evbuffer_free(body);
}

void lake_start(struct scene *scene)
{
	struct lake *lake = &scene->lake;
	struct sockaddr_in address;
	socklen_t len = sizeof(address);
	lake->http = evhttp_new(scene->base);
	evhttp_set_gencb(lake->http, on_request, lake);
	lake->socket = evhttp_bind_socket_with_handle(lake->http, "127.0.0.1", lake->port);
	assert_non_null(lake->socket);
	assert_int_equal(getsockname(evhttp_bound_socket_get_fd(lake->socket),
				     (struct sockaddr *)&address, &len),
			 0);
	lake->port = ntohs(address.sin_port);
}

void lake_stop(struct scene *scene)
{
	evhttp_free(scene->lake.http);
	scene->lake.http = NULL;
}

void scene_token(struct scene *scene, const char *token)
{
	assert_int_equal(file_write(scene->token_file, token, strlen(token), 0600, NULL), 0);
}

void scene_begin(struct scene *scene)
{
	*scene = (struct scene){ .base = event_base_new() };
	folder_make(&scene->folder);
	snprintf(scene->token_file, sizeof(scene->token_file), "%s/token", scene->folder.path);
	scene_token(scene, "right\n");
	strcpy(scene->lake.token, "right");
	scene->spool = spool_must_open(&scene->folder, MIB);
	lake_start(scene);
}

void scene_upload(struct scene *scene, uint64_t timeout_ns)
{
	char url[64];
	snprintf(url, sizeof(url), "http://127.0.0.1:%u", scene->lake.port);
	struct uploader_options options = { .url = url,
					    .token_file = scene->token_file,
					    .timeout_ns = timeout_ns,
					    .backoff_min_ns = 20 * NS_PER_MS,
					    .backoff_max_ns = 80 * NS_PER_MS };
	assert_int_equal(uploader_new(&scene->uploader, scene->base, scene->spool, &options, NULL),
			 0);
}

void scene_end(struct scene *scene)
{
	uploader_free(scene->uploader);
	spool_close(scene->spool);
	if (scene->lake.http)
		lake_stop(scene);
	event_base_free(scene->base);
	folder_remove(&scene->folder);
}

void scene_put(struct scene *scene, uint64_t from, uint64_t to)
{
	for (uint64_t i = from; i <= to; i++)
		assert_int_equal(spool_put(scene->spool, SPOOL_LIFECYCLE, i, 500), 0);
	if (scene->uploader)
		uploader_wake(scene->uploader);
}

void scene_loop(struct scene *scene, unsigned ms)
{
	struct timeval delay = { .tv_usec = ms * 1000 };
	event_base_loopexit(scene->base, &delay);
	event_base_dispatch(scene->base);
}

void scene_until_taken(struct scene *scene, unsigned count)
{
	WAIT_DOING(scene->lake.count >= count && spool_entries(scene->spool) == 0,
		   scene_loop(scene, 10), "the lake to have every batch and the uploader to know");
	assert_int_equal(scene->lake.count, count);
	for (unsigned i = 0; i < count; i++)
		assert_int_equal(scene->lake.taken[i], i + 1);
}

struct uploader_status scene_status(const struct scene *scene)
{
	struct uploader_status status;
	uploader_status(scene->uploader, &status);
	return status;
}

static bool has_come_to(const struct scene *scene, enum uploader_state state, const char *words)
{
	struct uploader_status status = scene_status(scene);
	return status.state == state && strstr(status.last_error.text, words);
}

void scene_until(struct scene *scene, enum uploader_state state, const char *words)
{
	WAIT_DOING(has_come_to(scene, state, words), scene_loop(scene, 5), words);
}
