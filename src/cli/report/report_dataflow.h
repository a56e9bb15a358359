/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

#include "cli/command.h"

/* Which task of a run fed which. */

/* Asks the lake; its answer becomes the document's member "dataflow". As client_get. */
int report_dataflow_fetch(const struct common *common, const char *id, json_t *document,
			  struct error *err);
/* The section of `tracer report` about what a run waited for: its critical path. Nothing where no
 * task is known to have fed another one of it. */
void report_dataflow(FILE *out, const json_t *dataflow);
