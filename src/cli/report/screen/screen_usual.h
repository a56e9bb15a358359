/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

#include "cli/report/screen/screen_size.h"
#include "cli/terminal/lines.h"

/* What the history of the pipeline says of a run, a line each: whether it is as usual, when it will
 * end while it runs, and the one request that is most worth changing. */

/* document: with the members "expected" and "sizes" of the lake's answers of these names; what is
 * missing has no line. */
void screen_usual_add(struct lines *lines, const json_t *document, const struct screen_size *size);
