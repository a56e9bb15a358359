/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/failure/failure_group.h"

/* The findings: texts, evidence, advice. */

/* unread: failed tasks that were not examined and are not in any group. Errors as of
 * findings_add. */
int failure_write(const struct failure_group *group, size_t unread, struct findings *ret);
/* Of the tools that failed unnoticed, if there are any: one finding. */
int failure_write_masked(const struct failure_analysis *analysis, struct findings *ret);

/* The keys of evidence that lead to the place: the task and the process. */
void evidence_place(struct json *json, const struct failure_case *failure, size_t process);
