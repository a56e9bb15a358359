/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cloud/machine_type.h"

/* The largest type of the same family and architecture that has fewer vCPUs and no more memory, as
 * many GPUs or fewer; of several the one with the most alike memory for each vCPU. -ENOENT: there
 * is none, or the type is not in the table. Pure. */
int cloud_machine_smaller(const char *provider, const char *type, struct cloud_machine_type *ret);
