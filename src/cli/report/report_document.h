/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

#include "cli/command.h"

/* The document of `tracer report --json`: a run with all its lists, from several API requests. */

/* Queries the lake for it. Without common->json, lists that the screen does not show are left out.
 * Returns what client_get() returns; *ret is the caller's (json_decref). */
int report_document_fetch(const struct common *common, const char *run, json_t **ret,
			  struct error *err);
