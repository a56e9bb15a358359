/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "collect/runtime/grpc.h"
#include "collect/runtime/runtime.h"
#include "collect/runtime/runtime_source.h"
#include "containerd.pb-c.h"

#define NAMESPACE_BYTES 76 /* containerd's limit of an identifier: pkg/identifiers/validate.go */
#define LIST            "/containerd.services.namespaces.v1.Namespaces/List"
#define GET             "/containerd.services.containers.v1.Containers/Get"

struct containerd {
	struct grpc_client *client;
	char id[128];
	char namespaces[RUNTIME_NAMESPACES_MAX][NAMESPACE_BYTES + 1];
	size_t count, next;
	runtime_answered *answered;
	void *context;
};

static void containerd_free(void *source)
{
	struct containerd *containerd = source;

	if (!containerd)
		return;
	grpc_client_free(containerd->client);
	free(containerd);
}

static int containerd_open(void **ret, struct event_base *base, const char *socket,
			   struct error *err)
{
	struct containerd *containerd = calloc(1, sizeof(*containerd));
	int result;

	if (!containerd)
		return error_set(err, -ENOMEM, "no memory to ask containerd");
	result = grpc_client_new(&containerd->client, base, socket, err);
	if (result < 0)
		containerd_free(containerd);
	else
		*ret = containerd;
	return result;
}

static void report(const struct containerd *containerd, int result)
{
	struct container_facts none = { 0 };

	containerd->answered(containerd->context, result, &none);
}

/* No answer, though there may be one later: true, and reported. */
static bool is_away(const struct containerd *containerd, const struct grpc_answer *answer)
{
	bool refused = answer->error == 0 && (answer->status == GRPC_UNAVAILABLE ||
					      answer->status == GRPC_DEADLINE_EXCEEDED);

	if (!refused && (answer->error == 0 || answer->error == -EFBIG))
		return false;
	log_debug("containerd does not answer: %s",
		  refused ? "it is not ready" : error_text(&answer->words));
	report(containerd, -EAGAIN);
	return true;
}

static int ask_next(struct containerd *containerd);

static void on_container(const struct grpc_answer *answer, void *context)
{
	struct containerd *containerd = context;
	struct container_facts facts;

	if (is_away(containerd, answer))
		return;
	if (answer->error == 0 && answer->status == GRPC_OK &&
	    container_facts_containerd(answer->message, answer->len, containerd->id, &facts)) {
		containerd->answered(containerd->context, 0, &facts);
		container_facts_clear(&facts);
		return;
	}
	if (ask_next(containerd) < 0)
		report(containerd, -ENOENT);
}

/* In the next namespace. -ENOENT: there is none left. */
static int ask_next(struct containerd *containerd)
{
	Containerd__GetContainerRequest request = CONTAINERD__GET_CONTAINER_REQUEST__INIT;
	uint8_t message[sizeof(containerd->id) + 8];

	if (containerd->next == containerd->count)
		return -ENOENT;
	request.id = containerd->id;
	const struct grpc_request call = {
		.path = GET,
		.namespace = containerd->namespaces[containerd->next++],
		.message = message,
		.len = containerd__get_container_request__pack(&request, message),
		.timeout_s = RUNTIME_WAIT_S,
		.limit = RUNTIME_BYTES,
	};

	return grpc_client_call(containerd->client, &call, on_container, containerd);
}

/* As containerd writes them; they go into a header. */
static bool is_plain(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("._-", name[i]))
			return false;
	return len && len <= NAMESPACE_BYTES;
}

static void keep_namespaces(struct containerd *containerd, const struct grpc_answer *answer)
{
	Containerd__ListNamespacesResponse *list =
		containerd__list_namespaces_response__unpack(NULL, answer->len, answer->message);

	containerd->count = containerd->next = 0;
	for (size_t i = 0; list && i < list->n_namespaces; i++) {
		const char *name = list->namespaces[i]->name;

		if (!is_plain(name) || strcmp(name, "moby") == 0)
			continue;
		if (containerd->count == RUNTIME_NAMESPACES_MAX)
			break;
		(void)snprintf(containerd->namespaces[containerd->count++], NAMESPACE_BYTES + 1,
			       "%s", name);
	}
	if (list)
		containerd__list_namespaces_response__free_unpacked(list, NULL);
}

static void on_namespaces(const struct grpc_answer *answer, void *context)
{
	struct containerd *containerd = context;

	if (is_away(containerd, answer))
		return;
	containerd->count = containerd->next = 0;
	if (answer->error == 0 && answer->status == GRPC_OK)
		keep_namespaces(containerd, answer);
	if (ask_next(containerd) < 0)
		report(containerd, -ENOENT);
}

static int containerd_ask(void *source, const char *id, runtime_answered *answered, void *context)
{
	struct containerd *containerd = source;
	const struct grpc_request call = {
		.path = LIST,
		.message = "",
		.timeout_s = RUNTIME_WAIT_S,
		.limit = RUNTIME_BYTES,
	};

	containerd->answered = answered;
	containerd->context = context;
	(void)snprintf(containerd->id, sizeof(containerd->id), "%s", id);
	return grpc_client_call(containerd->client, &call, on_namespaces, containerd);
}

const struct runtime_source runtime_containerd = {
	.name = "containerd",
	.open = containerd_open,
	.ask = containerd_ask,
	.free = containerd_free,
};
