/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

#include "cli/report/screen/screen_size.h"
#include "cli/terminal/lines.h"

/* Adds the facts of the run below the verdict: which, how it ended, where, when, what it used, and
 * whether records are missing. Three lines at most. */
void screen_facts_add(struct lines *lines, const json_t *document, const struct screen_size *size);
