/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cost/policy/policy.h"

/* The lists of a policy. Texts are owned; one that is NULL was not given and fits anything. */
struct policy_machine {
	char *hosts;
	double usd_year, usd_year_people, power_w, usd_kwh;
};

struct policy_factor {
	char *name, *provider, *families, *regions, *purchase;
	double factor;
};

struct policy_centre {
	char *name;
	char *label, *label_value; /* the key of a label, and a pattern for its value */
	char *user, *pipeline, *path;
};

/* 0: nothing that costs is given. */
double policy_machine_usd_hour(const struct policy_machine *machine);
