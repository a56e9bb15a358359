/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/json.h"

/* The cloud in `tracer doctor`: which machine of which one this is, and by what; or why that is not
 * known. Tracer needs none. */
struct doctor_cloud {
	char *cloud, *provider, *metadata_url; /* as the options of the agent */
};

void doctor_cloud_print(const struct doctor_cloud *cloud);
/* The member "cloud": {provider, by, answered, instance_id, instance_type, region, zone,
 * account_id, purchase, tags (how many), detail}. */
void doctor_cloud_write(const struct doctor_cloud *cloud, struct json *json);
