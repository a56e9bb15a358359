/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/finder.h"

/* First why it failed (failure/failures.h), then all finders: findings are appended by finder (in
 * the order of the table in finders.c), then by subject in the order of the input. -ENOMEM, -ENOSPC
 * (findings_add). */
int findings_find(const struct finding_input *input, struct findings *ret);

/* Applies one finder to each subject of its kind. */
int finder_apply(const struct finder *finder, const struct finding_input *input,
		 struct findings *ret);

/* Leaves out what would change too little of the run (threshold RUN_SHARE), then puts failures
 * first, warnings next; else in the order in which they were found. */
void findings_order(const struct finding_run *run, struct findings *findings);
