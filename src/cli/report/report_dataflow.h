/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

#include "cli/command.h"

/* Which task of a run wrote what another task read (docs/dataflow.md). */

/* Queries the lake and adds its answer to the document as "dataflow". Returns what client_get()
 * returns. */
int report_dataflow_fetch(const struct common *common, const char *id, json_t *document,
			  struct error *err);
/* The section of `tracer report` about the critical path of a run. Empty where no task is known to
 * have read what another one wrote. */
void report_dataflow(FILE *out, const json_t *dataflow);
