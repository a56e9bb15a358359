/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cloud/machine/machine.h"

/*
 * What the firmware says of the cloud that this host is a machine of, read below /sys: no request
 * leaves the host. A hypervisor writes it; no user of the machine can.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/identify_ec2_instances.html
 * https://cloud.google.com/compute/docs/instances/detect-compute-engine
 */
struct firmware {
	const char *provider; /* static: "aws", "gcp"; "": it names no cloud */
	char by[160];         /* for people: "/sys/class/dmi/id/sys_vendor says 'Amazon EC2'" */
	/* On AWS Nitro; "": it does not say. */
	char instance_id[CLOUD_FACT_SIZE], instance_type[CLOUD_FACT_SIZE];
};

/* root is "" but for tests. */
void firmware_read(struct firmware *ret, const char *root);
