/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/input.h"
#include "signal/finding.h"

/* What is not as usual of the steps of the run: a finding for a step, and for each task that is far
 * outside; attempts that failed and requests that were overrun have findings of their own. 0, or an
 * error of findings_add.
 */
int usual_findings_find(const struct finding_input *input, struct findings *ret);
