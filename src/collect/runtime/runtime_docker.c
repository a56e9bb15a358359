/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/http/http.h"
#include "base/log.h"
#include "collect/runtime/runtime.h"
#include "collect/runtime/runtime_source.h"

struct docker {
	struct http_client *client;
	runtime_answered *answered;
	void *context;
};

static void docker_free(void *source)
{
	struct docker *docker = source;

	if (!docker)
		return;
	http_client_free(docker->client);
	free(docker);
}

static int docker_open(void **ret, struct event_base *base, const char *socket, struct error *err)
{
	struct docker *docker;
	char url[512];
	const struct http_options options = { .url = url,
					      .timeout_ns = RUNTIME_WAIT_S * NS_PER_S,
					      .response_limit = RUNTIME_BYTES };
	int result;

	if (snprintf(url, sizeof(url), "http+unix://%s", socket) >= (int)sizeof(url))
		return error_set(err, -EINVAL, "docker-socket is too long");
	docker = calloc(1, sizeof(*docker));
	if (!docker)
		return error_set(err, -ENOMEM, "no memory to ask docker");
	result = http_client_new(&docker->client, base, &options, err);
	if (result < 0)
		docker_free(docker);
	else
		*ret = docker;
	return result;
}

static void on_answer(const struct http_response *response, void *context)
{
	const struct docker *docker = context;
	struct container_facts facts = { 0 };
	int result = -ENOENT;

	if (response->error && response->error != -EFBIG) {
		log_debug("docker does not answer: %s", error_text(&response->words));
		result = -EAGAIN;
	} else if (!response->error && response->status == 200 &&
		   container_facts_docker(response->body, response->body_len, &facts)) {
		result = 0;
	}
	docker->answered(docker->context, result, &facts);
	container_facts_clear(&facts);
}

static int docker_ask(void *source, const char *id, runtime_answered *answered, void *context)
{
	struct docker *docker = source;
	char path[192];

	docker->answered = answered;
	docker->context = context;
	(void)snprintf(path, sizeof(path), "/containers/%s/json", id);
	return http_client_send(docker->client, "GET", path, NULL, NULL, 0, on_answer, docker);
}

const struct runtime_source runtime_docker = {
	.name = "docker",
	.open = docker_open,
	.ask = docker_ask,
	.free = docker_free,
};
