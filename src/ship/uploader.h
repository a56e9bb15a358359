/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct event_base;
struct spool;

/*
 * Sends the spool's batches to a lake, in order, one at a time, until it is freed: POST
 * /api/v1/ingest with a bearer token. Retries with a backoff (1 s doubling to 30 s, with jitter;
 * Retry-After is honoured) while the lake cannot be reached, refuses the token or is busy. A batch
 * that the lake calls malformed (400, 413, 422) is rejected (spool_reject). The log has a line for
 * each change of state, not for each try.
 */
struct uploader;

enum uploader_state { UPLOADER_IDLE, UPLOADER_SENDING, UPLOADER_WAITING, UPLOADER_REFUSED };

struct uploader_options {
	const char *url;        /* of the lake */
	const char *token_file; /* read again after each refusal; a warning if others than its
				   owner can read it */
	const char *ca_file;    /* PEM; NULL or "": the system's authorities */
	/* PEM: the agent's own certificate and its key; NULL or "": none. These three files are
	 * looked at before each batch and read again where they changed. */
	const char *certificate_file, *key_file;
	uint64_t timeout_ns;     /* of one request; 0: 30 s */
	uint64_t backoff_min_ns; /* 0: 1 s */
	uint64_t backoff_max_ns; /* 0: 30 s */
};

struct uploader_status {
	enum uploader_state state;
	uint64_t batches, records, bytes; /* acknowledged by the lake */
	uint64_t duplicates;              /* batches among these that the lake had already */
	uint64_t rejected_batches, rejected_records;
	int64_t last_ok_at;
	/* The lake's clock minus this host's, by the quickest round trip of the last 10 minutes,
	 * and the largest possible error; 0: not known. */
	int64_t clock_offset_ns;
	uint64_t clock_error_ns;
	struct error last_error; /* "" after a success */
};

/* Begins to send what the spool holds. Neither base nor spool is owned. -EINVAL with a message for
 * a URL or CA file that cannot be used. A missing token file counts as a refused token: it is read
 * again at the next try. */
int uploader_new(struct uploader **ret, struct event_base *base, struct spool *spool,
		 const struct uploader_options *options, struct error *err);
void uploader_free(struct uploader *uploader); /* NULL does nothing */
/* To be called after an append to the spool. */
void uploader_wake(struct uploader *uploader);
void uploader_status(const struct uploader *uploader, struct uploader_status *ret);
