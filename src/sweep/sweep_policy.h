/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "sweep/sweep_threshold.h"

/*
 * The settings of sweeps, waste.yaml (docs/sweep.md): thresholds, who and what is exempted, what
 * storage costs. Read once, then constant: any thread may use it. A pattern is as of fnmatch(3) and
 * matches the text from its start to its end; '*' matches '/' too.
 */
#define SWEEP_POLICY_BYTES (1u << 20) /* of a file */
#define SWEEP_POLICY_ITEMS 1024       /* of each list */
#define SWEEP_POLICY_TEXT  256        /* bytes of a name or pattern */
#define SWEEP_POLICY_STARS 8          /* of a pattern: what it may cost to match one */

/* The label, or tag of a machine, that marks a host as idle by design: "tracer:idle" = "by-design".
 * In cost.yaml's style, further ones can be listed in the policy. */
#define SWEEP_BY_DESIGN_KEY   "tracer:idle"
#define SWEEP_BY_DESIGN_VALUE "by-design"

struct sweep_policy {
	double thresholds[SWEEP_THRESHOLDS];
	double usd_gb_month; /* of storage; 0: unknown */
	/* For the functions below. */
	struct sweep_exemption *exemptions, *by_design;
	size_t exemption_count, by_design_count;
};

/* What a waste is about, for exemptions; NULL: unknown, which fits no pattern. */
struct sweep_concerns {
	const char *kind, *user, *hostname, *pipeline, *path;
	const char *labels, *tags; /* JSON objects of texts: of the run, of the machine */
};

/* The policy of an empty file. */
void sweep_policy_init(struct sweep_policy *policy);
/* Reads the text of a file, which messages call origin; "" gives an empty policy. -EINVAL, -EFBIG,
 * -ENOMEM with "ORIGIN:LINE:COLUMN: what is wrong, what is allowed". */
int sweep_policy_parse(const char *text, size_t len, const char *origin, struct sweep_policy **ret,
		       struct error *err);
void sweep_policy_free(struct sweep_policy *policy);
DEFINE_CLEANUP(struct sweep_policy *, sweep_policy_free)

/* Whether an exemption fits: all that it names must. policy NULL: false. */
bool sweep_policy_exempts(const struct sweep_policy *policy, const struct sweep_concerns *concerns);
/* Whether tags (a JSON object of texts; NULL: none) or the policy mark a machine as idle by design.
 */
bool sweep_policy_by_design(const struct sweep_policy *policy, const char *hostname,
			    const char *tags);
