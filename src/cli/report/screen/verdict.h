/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdbool.h>

#include "cli/terminal/lines.h"

/* The verdict on a run (docs/findings.md), in a report. */

/* Gives document.run the member failed_tools of the verdict, by which its status is shown. */
void verdict_mark_run(json_t *document);
/* Adds the verdict's sentence, in the colour of the run's status. A lake that gives no verdict: the
 * status and the time. */
void verdict_lines(struct lines *lines, const json_t *document, size_t width, bool colourful);
