/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/input.h"
#include "signal/finding.h"

/* Adds why the run and its tasks failed, if they did: failures of one cause as one finding, in the
 * order of time; then what failed and nothing noticed. Errors as of findings_add. */
int failures_find(const struct finding_input *input, struct findings *ret);
