/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/error.h"

/*
 * What was concluded of a settled run, as JSON in the store: it outlives this process. A document
 * of another version of this program, or with other thresholds, counts as missing.
 */
struct server;

static inline void json_decref_of(json_t *document)
{
	json_decref(document);
}
DEFINE_CLEANUP(json_t *, json_decref_of)

/* *ret is NULL where there is none, or the run is not settled; json_decref. Errors as of
 * query_named. */
int run_document_read(struct server *server, const char *id, const char *kind, json_t **ret,
		      struct error *err);
/* settled: of store_run_state, before the document was begun. -ESTALE: the run changed since;
 * -ENOMEM, -EIO with words. */
int run_document_keep(struct server *server, const char *id, uint64_t settled, const char *kind,
		      const struct buffer *text, struct error *err);
