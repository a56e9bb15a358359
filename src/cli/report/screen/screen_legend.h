/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "cli/terminal/lines.h"
#include "cli/terminal/times.h"

/* Adds what the signs of bars mean, of the states that some bar shows, in lines of `width`: one, if
 * they fit. */
void screen_legend_add(struct lines *lines, const bool used[TIME_STATE_COUNT], size_t width,
		       bool colourful);
