/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

#include "cli/command.h"

/* The document of `tracer report`: a run with its lists, from several API requests. */

/* What it is for: later ones hold more lists. */
enum report_depth {
	REPORT_SCREEN, /* the first screen */
	REPORT_FULL,   /* all tables; of files, many but not all */
	REPORT_JSON,   /* all there is */
};

/* Queries the lake for it. Returns what client_get() returns; *ret is the caller's (json_decref).
 */
int report_document_fetch(const struct common *common, const char *run, enum report_depth depth,
			  json_t **ret, struct error *err);
