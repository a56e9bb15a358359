/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/input.h"
#include "signal/finding.h"

/* What happened to a run, in one sentence. */
struct verdict {
	char *text;  /* "Failed after 12m 00s: `salmon quant` was out of memory." */
	char *brief; /* a few words for lists: "`salmon quant` was out of memory"; may be "" */
	uint64_t failed_tools; /* that failed and did not make the run fail */
};

/* findings: of this run, in their order (findings_order). bottleneck: what its wall time mostly
 * was, "mostly computing"; NULL: not known. -ENOMEM. verdict_clear in any case. */
int verdict_make(const struct finding_run *run, const struct findings *findings,
		 uint64_t failed_tools, const char *bottleneck, struct verdict *ret);
void verdict_clear(struct verdict *verdict);
