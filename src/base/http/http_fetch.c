/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/http/http.h"

DEFINE_CLEANUP(struct event_base *, event_base_free)
DEFINE_CLEANUP(struct http_client *, http_client_free)

struct fetch {
	struct event_base *base;
	int error, status;
	char *body;
	size_t len;
	struct error words;
};

static void on_done(const struct http_response *response, void *context)
{
	struct fetch *fetch = context;
	fetch->error = response->error;
	fetch->words = response->words;
	fetch->status = response->status;
	if (response->error == 0) {
		fetch->len = response->body_len;
		fetch->body = malloc(response->body_len + 1);
		if (fetch->body)
			memcpy(fetch->body, response->body, response->body_len + 1);
		else
			fetch->error = error_set(&fetch->words, -ENOMEM, "no memory");
	}
	event_base_loopbreak(fetch->base);
}

int http_fetch(const struct http_options *options, const char *method, const char *path,
	       const char *type, const void *body, size_t len, int *ret_status, char **ret_body,
	       size_t *ret_len, struct error *err)
{
	CLEANUP(event_base_freep) struct event_base *base = event_base_new();
	CLEANUP(http_client_freep) struct http_client *client = NULL;
	struct fetch fetch = { .base = base };
	if (!base)
		return error_set(err, -ENOMEM, "no memory for an event loop");
	int rc = http_client_new(&client, base, options, err);
	if (rc != 0)
		return rc;
	rc = http_client_send(client, method, path, type, body, len, on_done, &fetch);
	if (rc != 0)
		return error_set(err, rc, "the request cannot be made: %s", strerror(-rc));
	event_base_dispatch(base);
	http_client_free(TAKE_PTR(client));
	event_base_loop(base, EVLOOP_NONBLOCK); /* what was given up gives its memory back */
	if (fetch.error != 0)
		return error_set(err, fetch.error, "%s", error_text(&fetch.words));
	*ret_status = fetch.status;
	*ret_body = fetch.body;
	*ret_len = fetch.len;
	return 0;
}
