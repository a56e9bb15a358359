/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "tune/diff/step_groups.h"

/*
 * Which step of one run is which of another: that of the same name; of the rest a pair, one of each
 * run, with tools and arguments that no third one has; then a pair with such arguments. Pure.
 */
#define STEP_NONE SIZE_MAX

/* What steps are recognised by where their names differ; "": not known. */
struct step_mark {
	const char *tools, *arguments;
};

struct step_pair {
	size_t from, to; /* numbers of groups; STEP_NONE: the run does not have it */
};

struct step_pairs {
	struct step_pair *items;
	size_t count;
};

/* marks: beside the groups of each run. 0, or -ENOMEM; step_pairs_clear in any case. */
int step_match(const struct step_groups *from, const struct step_mark *from_marks,
	       const struct step_groups *to, const struct step_mark *to_marks,
	       struct step_pairs *ret);
void step_pairs_clear(struct step_pairs *pairs);
