/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

#include "cli/report/screen/screen_size.h"
#include "cli/terminal/lines.h"

/* Adds the findings that fit `most` lines (at least 3), whole ones, but of the first, which is
 * always there, the start; then how many more there are. */
void screen_findings_add(struct lines *lines, const json_t *document, size_t most,
			 const struct screen_size *size);
