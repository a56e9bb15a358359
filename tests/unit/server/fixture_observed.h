/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "fixture_lake.h"

/* What a lake says of what happened to it. */

/* The value of a line of /metrics without labels; fails where there is none. */
int64_t lake_metric(struct lake *lake, const char *name);
/* Whether the audit log has an entry of this action, with a subject that contains `subject` and a
 * result that begins with `result`. */
bool lake_audit_has(struct lake *lake, const char *action, const char *subject, const char *result);
