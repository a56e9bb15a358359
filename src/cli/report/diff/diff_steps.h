/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

#include "cli/report/screen/screen_size.h"
#include "cli/terminal/lines.h"

/* Adds the steps that got slower, faster, bigger or smaller: what of a task changed, and what
 * differs; as many as the screen has room for. */
void diff_steps_add(struct lines *lines, const json_t *document, const struct screen_size *size);
