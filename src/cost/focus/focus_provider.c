/* SPDX-License-Identifier: Apache-2.0 */
#include "cost/focus/focus_provider.h"

#include <stddef.h>
#include <string.h>

#define MACHINES "Virtual Machines"

static const struct focus_provider PROVIDERS[] = {
	{ "aws", "AWS", "Amazon Elastic Compute Cloud", MACHINES, "Instance", "AWS account" },
	{ "gcp", "Google Cloud", "Compute Engine", MACHINES, "Instance", "Google Cloud project" },
};
static const struct focus_provider OWN = {
	"", "On premises", "Own machines", "Other (Compute)", "Machine", "Site",
};

const struct focus_provider *focus_provider(const char *id)
{
	for (size_t i = 0; i < sizeof(PROVIDERS) / sizeof(PROVIDERS[0]); i++)
		if (strcmp(PROVIDERS[i].id, id) == 0)
			return &PROVIDERS[i];
	return &OWN;
}
