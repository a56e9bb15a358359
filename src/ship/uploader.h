/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct event_base;
struct spool;

/*
 * Sends the spool's batches to a lake, in order, one at a time, for ever: POST /api/v1/ingest with
 * a bearer token. It backs off (1 s doubling to 30 s, with jitter; Retry-After is honoured) while
 * the lake is away, refuses the token or is too busy; a batch that the lake calls malformed (400,
 * 413, 422) is set aside in the spool folder's `rejected/` (the newest 16) and counted as a loss.
 * Says each change of state once in the log, not each try.
 */
struct uploader;

enum uploader_state { UPLOADER_IDLE, UPLOADER_SENDING, UPLOADER_WAITING, UPLOADER_REFUSED };

struct uploader_options {
	const char *url;        /* of the lake */
	const char *token_file; /* read again after each refusal; mode must not be group or world
				   readable: warned */
	const char *ca_file;
	uint64_t timeout_ns;     /* of one request; 0: 30 s */
	uint64_t backoff_min_ns; /* 0: 1 s */
	uint64_t backoff_max_ns; /* 0: 30 s */
};

struct uploader_status {
	enum uploader_state state;
	uint64_t batches, records, bytes; /* acknowledged */
	uint64_t duplicates;              /* of these the lake had already */
	uint64_t rejected_batches, rejected_records;
	int64_t last_ok_at;
	/* The lake's clock less this host's, by the quickest round trip of the last minutes, and by
	 * how much that may be wrong; 0: not known. */
	int64_t clock_offset_ns;
	uint64_t clock_error_ns;
	struct error last_error; /* "" after a success */
};

/* Begins with what the spool holds. Neither base nor spool is owned. -EINVAL with words for a URL
 * or CA file it cannot use; a token file that is not there (yet) is a refusal, and is read again.
 */
int uploader_new(struct uploader **ret, struct event_base *base, struct spool *spool,
		 const struct uploader_options *options, struct error *err);
void uploader_free(struct uploader *uploader); /* NULL is fine */
/* Something was appended. */
void uploader_wake(struct uploader *uploader);
void uploader_status(const struct uploader *uploader, struct uploader_status *ret);
