/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

/* Whether a text matches one of a list of patterns with commas, in each of which one '*' matches
 * anything: "m6*,c7i.2xlarge". NULL and "" match everything. */
bool pattern_list_matches(const char *patterns, const char *text);
