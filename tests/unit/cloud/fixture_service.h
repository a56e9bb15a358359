/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "cloud/metadata/metadata.h"

/*
 * A metadata service over a loopback socket in the test's own loop, and a metadata that asks it:
 * answers by path, or the same bytes to whatever comes.
 */
struct service_answer {
	const char *path, *text; /* path NULL: none */
};

struct service {
	struct event_base *base;
	const char *provider; /* "aws": wants a token, "gcp": wants and sends Metadata-Flavor */
	const struct service_answer *answers;
	const char *bytes;   /* instead: what any connection gets; "": nothing, it stays open */
	const char *token;   /* of the service, now */
	bool is_silent;      /* of GCP: answers lack their header */
	struct buffer asked; /* "GET /path\n…" that were answered, in their order */
	unsigned connections;
	struct evhttp *http;
	struct evconnlistener *listener;
	char url[64];
	struct metadata *metadata;
	unsigned changes, notices;
	struct metadata_notice notice; /* the last one */
};

void service_start(struct service *service);
void service_stop(struct service *service); /* for CLEANUP */
/* Makes its metadata. */
void service_ask(struct service *service, const char *cloud, const char *provider,
		 const char *root);
/* Ticks at this instant, and runs the loop until no question is open. */
void service_tick(struct service *service, uint64_t now_s);
