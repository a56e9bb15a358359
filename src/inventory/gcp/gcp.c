/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "inventory/listing.h"
#include "inventory/provider.h"

static int list(struct listing *listing, struct error *err)
{
	return error_set(err, -ENOSYS, "gcp is not listed yet");
}

const struct inventory_provider INVENTORY_GCP = { .name = "gcp", .list = list };
