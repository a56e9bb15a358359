/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * Whether two tasks of a run do the same with other files: the words of their command lines are
 * equal except for the sample, numbers, and file names. Folders and file endings must be equal,
 * since two rules may differ by these alone. This finds the rule of a failed task, where another
 * rule has the same tools.
 */
struct rules;

struct sibling {
	const char *text; /* the first len bytes count */
	size_t len;
	const char *sample; /* "": unknown */
};

bool sibling_is(const struct rules *rules, const struct sibling *a, const struct sibling *b);
