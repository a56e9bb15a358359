/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "base/error.h"
#include "cloud/metadata/metadata_source.h"

struct event_base;

/*
 * A conversation with a metadata service: one request after the other in the caller's loop, at most
 * 2 s and 16 KiB each. Redirections are not followed.
 */
struct metadata_ask;

#define METADATA_WAIT_NS 2000000000 /* of one request; a service answers in milliseconds */
#define METADATA_BYTES   (16u << 10)

/* error: 0, or -errno with words. Called once, from the loop; may start the next conversation or
 * free the ask. */
typedef void metadata_asked(int error, const struct error *words, void *context);

/* url is that of the service, "" the source's own. Nothing is sent yet. -EINVAL, -ENOMEM. */
int metadata_ask_new(struct metadata_ask **ret, struct event_base *base,
		     const struct metadata_source *source, const char *url, struct error *err);
/* Drops the request in progress without calling back. NULL is fine. */
void metadata_ask_free(struct metadata_ask *ask);
/* Drops the conversation in progress without calling back; the next one may begin. */
void metadata_ask_drop(struct metadata_ask *ask);

/* Asks who this machine is. *machine is filled until it is called back, and is not owned. -EPROTO:
 * the service answers something else; -ENOENT: it does not know the machine; or as of struct
 * http_response. What is not needed and is not answered stays unknown. */
void metadata_ask_machine(struct metadata_ask *ask, struct cloud_machine *machine,
			  metadata_asked *done, void *context);
/* Asks for notices. noticed is called for each that there is. */
typedef void metadata_noticed(const struct metadata_notice *notice, void *context);
void metadata_ask_notices(struct metadata_ask *ask, metadata_noticed *noticed, metadata_asked *done,
			  void *context);
