/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "server/findings/analysis.h"

/* The analysis of a settled run as a stored document (server/query/run_document.h). */

/* *ret is NULL where there is none. Errors as of query_named; -ENOMEM. */
int analysis_document(struct analysis **ret, struct server *server, const char *id,
		      struct error *err);
/* Stores it. Errors as of analysis_get and run_document_keep. */
int analysis_keep(struct server *server, const char *id, uint64_t settled, struct error *err);
