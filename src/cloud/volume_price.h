/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* What a GiB of a volume costs a month in us-east-1 and us-central1, estimated (other regions cost
 * up to a third more), without what IOPS and throughput cost extra. -ENOENT:
 * the type is not known. */
int cloud_volume_usd_gib_month(const char *provider, const char *type, double *ret);

#define CLOUD_HOURS_A_MONTH 730 /* as providers count */
