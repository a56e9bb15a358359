/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

#include "cli/report/screen/screen_size.h"
#include "cli/terminal/lines.h"

/* Lines that screen_bars_add() would take if there were room for all. */
size_t screen_bars_wanted(const json_t *document);
/* Adds where the wall time of the run and of its steps (its tools, where it has no steps) went: a
 * bar each and a legend, in at most `most` lines (at least 5). Of many rows those with failed tasks
 * and those that took longest are shown, and how many more there are. */
void screen_bars_add(struct lines *lines, const json_t *document, size_t most,
		     const struct screen_size *size);
