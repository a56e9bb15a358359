/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <event2/event.h>
#include <event2/http.h>
#include <stdbool.h>

#include "fixture_spool.h"
#include "ship/uploader.h"

#define LAKE_MOST 1000

/* A lake over a real socket, in the loop of the uploader: keeps what it took, and answers by plan.
 */
struct lake {
	struct evhttp *http;
	struct evhttp_bound_socket *socket;
	ev_uint16_t port;
	char token[40];
	int status;              /* instead of taking the batch; 0: take it */
	int status_of_sequence;  /* the one that gets status; 0: all */
	const char *retry_after; /* sent with status */
	const char *says;        /* a body instead of a receipt, or with status */
	bool forgets_answer;     /* takes it, and never answers */
	uint64_t taken[LAKE_MOST];
	unsigned count, duplicates, requests;
};

struct scene {
	struct folder folder;
	struct event_base *base;
	struct spool *spool;
	struct uploader *uploader;
	struct lake lake;
	char token_file[100];
};

void scene_begin(struct scene *scene); /* the lake runs, the uploader not yet */
void scene_end(struct scene *scene);   /* for CLEANUP */
void scene_upload(struct scene *scene, uint64_t timeout_ns);
void lake_start(struct scene *scene); /* on the same port */
void lake_stop(struct scene *scene);
void scene_token(struct scene *scene, const char *token);
/* Lifecycle batches of these sequences, 500 bytes and 10 records each. */
void scene_put(struct scene *scene, uint64_t from, uint64_t to);
void scene_loop(struct scene *scene, unsigned ms);
/* Until the lake has exactly batches 1 to count and the spool is empty. */
void scene_until_taken(struct scene *scene, unsigned count);
/* Until the uploader is in this state with these words in its last error. */
void scene_until(struct scene *scene, enum uploader_state state, const char *words);
struct uploader_status scene_status(const struct scene *scene);
