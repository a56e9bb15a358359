/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * Whether two tasks of a run do the same with other files: the words of their command lines are
 * alike but for the sample, numbers, and the names of files (their folders and endings count, also
 * where a folder is a sample's: two rules may differ by that alone). So a
 * task that failed is told to be of its siblings' rule, and not of another that has the same tools.
 */
struct rules;

struct sibling {
	const char *text; /* the first len bytes count */
	size_t len;
	const char *sample; /* "": unknown */
};

bool sibling_is(const struct rules *rules, const struct sibling *a, const struct sibling *b);
