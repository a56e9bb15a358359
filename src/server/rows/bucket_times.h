/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/rows/query_rows.h"

/* For lists of samples in buckets (columns "at", "sample_s"): adds the interval that the samples of
 * a bucket cover, as "since_at" and "until_at". */
extern const struct row_extra BUCKET_TIMES;
