/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/input.h"
#include "signal/finding.h"

/* A finding for each thing that is not as usual of the run's steps. 0, or an error of findings_add.
 */
int usual_findings_find(const struct finding_input *input, struct findings *ret);
